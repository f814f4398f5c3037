/* What all parts of the driver do: tell the user something. */
#include "tui_driver.h"

#include <stdio.h>

void es_driver_say(es_driver *driver, es_status status, const char *text) {
    es_app_say(driver->app, es_clock_now(), status, text);
}

void es_driver_say_then(es_driver *driver, const es_error *why, const char *then) {
    char text[sizeof why->message + 80];
    (void)snprintf(text, sizeof text, "%s; %s", why->message, then);
    es_driver_say(driver, why->code, text);
    es_log_write(driver->options->log, ES_LOG_WARN, "%s", text);
}
