// SPDX-License-Identifier: GPL-2.0
// A SPI bus with nothing on it but a memory: /dev/spidev0.0, by the kernel's own spidev driver, whose bytes can be read
// at /sys/kernel/debug/spi-sink/frame (the last transfer) and /sys/kernel/debug/spi-sink/frames (how many there were).
// The virtual board has no SPI controller; with this one the program takes the way that it takes on a real board.
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>

#define SINK_SIZE 4096

static struct platform_device *parent;
static struct spi_controller *sink;
static struct dentry *folder;
static DEFINE_MUTEX(lock);
static u8 frame[SINK_SIZE];
static struct debugfs_blob_wrapper blob = {.data = frame};
static u32 frames, hertz;

static int sink_transfer(struct spi_controller *controller, struct spi_device *device, struct spi_transfer *transfer) {
    mutex_lock(&lock);
    if (transfer->tx_buf) {
        blob.size = min_t(size_t, transfer->len, SINK_SIZE);
        memcpy(frame, transfer->tx_buf, blob.size);
        hertz = transfer->speed_hz;
        frames++;
    }
    mutex_unlock(&lock);
    return 0;
}

static int __init sink_begin(void) {
    // spidev takes only names that it knows; this one is a plain converter's.
    struct spi_board_info ring = {.modalias = "dh2228fv", .max_speed_hz = 20000000, .chip_select = 0};
    int code;
    parent = platform_device_register_simple("spi-sink", -1, NULL, 0);
    if (IS_ERR(parent)) return PTR_ERR(parent);
    sink = spi_alloc_master(&parent->dev, 0);
    if (!sink) { code = -ENOMEM; goto no_controller; }
    sink->bus_num = 0;
    sink->num_chipselect = 1;
    sink->mode_bits = SPI_CPOL | SPI_CPHA;
    sink->transfer_one = sink_transfer;
    code = spi_register_controller(sink);
    if (code) { spi_controller_put(sink); goto no_controller; }
    if (!spi_new_device(sink, &ring)) { code = -ENODEV; goto no_device; }
    folder = debugfs_create_dir("spi-sink", NULL);
    debugfs_create_blob("frame", 0400, folder, &blob);
    debugfs_create_u32("frames", 0400, folder, &frames);
    debugfs_create_u32("hertz", 0400, folder, &hertz);
    return 0;
no_device:
    spi_unregister_controller(sink);
no_controller:
    platform_device_unregister(parent);
    return code;
}

static void __exit sink_end(void) {
    debugfs_remove_recursive(folder);
    spi_unregister_controller(sink);
    platform_device_unregister(parent);
}

module_init(sink_begin);
module_exit(sink_end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A SPI bus that remembers what was sent");
