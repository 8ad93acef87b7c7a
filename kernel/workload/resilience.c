/* Checks of the numbers that describe checkpoints and faults. */
#include "workload/resilience.h"

#include "base/try_internal.h"

#include <math.h>

static const double YEAR = 365.0 * 86400;

orr_resilience orr_resilience_default(void)
{
    return (orr_resilience){.mtbf = 100 * YEAR, .checkpoint_unit = 1, .bandwidth = 1};
}

orr_status orr_resilience_check(const orr_resilience *r, orr_error *err)
{
    const struct {
        const char *name;
        double value;
        bool may_be_zero;
    } numbers[] = {
        {"mtbf", r->mtbf, false},
        {"bandwidth", r->bandwidth, false},
        {"downtime", r->downtime, true},
        {"checkpoint", r->checkpoint_unit, true},
        {"checkpoint_fixed", r->checkpoint_fixed, true},
        {"startup", r->startup, true},
        {"latency", r->latency, true},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double value = numbers[i].value;
        ORI_REFUSE(numbers[i].may_be_zero && !(value >= 0 && value < INFINITY), err,
                   "%s must be a finite number >= 0, it is %.17g", numbers[i].name, value);
        ORI_REFUSE(!numbers[i].may_be_zero && !(value > 0), err, "%s must be > 0, it is %.17g",
                   numbers[i].name, value);
    }
    ORI_REFUSE((unsigned)r->rule > ORR_PERIOD_DALY, err,
               "there are rules of periods from 0 to %d, not %d", (int)ORR_PERIOD_DALY,
               (int)r->rule);
    return ORR_OK;
}
