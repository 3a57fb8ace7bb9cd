#pragma once
#include <linear.h>
