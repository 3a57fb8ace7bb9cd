#pragma once
#include <mosquitto.h>
#include <stddef.h>
#include <sys/socket.h>

// Makes the next close of a connection drop what the kernel still holds of it and reset the connection. Without it
// the kernel goes on resending for minutes, and a command reaches the van long after its failure was reported.
// (`struct linger` and the socket's constants have other types on other libcs; C keeps them in one place.)
static inline void vanorb_drop_on_close(int socket) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}
