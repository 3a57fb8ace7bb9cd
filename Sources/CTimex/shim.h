#pragma once
// Swift's Glibc module leaves out adjtimex.
#include <sys/timex.h>
