// Conservative backfilling that keeps its promises (READINGS 34), the kernel's beside a plain C++
// program that does what the reading says, on one generated log (workload/generate_lublin.h).
//
//   promises [count=N] [procs=N] [load=X] [walltimes=X] [widest=N] [seed=N] [plain=0]
//   walltimes: the scheduler's estimates are runtimes times a factor, uniform on 1 .. X
//
// The plain program keeps the profile as a vector of steps. At every end of an attempt it goes once
// through the queue: every reservation is taken out, the earliest start is looked for from the first
// step on, and it is put back there.
//
// Prints: seconds of the kernel's conservative backfilling, of its EASY, of the plain program
// (processor time), the longest queue, and how many starts differ.
#include "measure.h"

#include "rigid/interface/engine.h"
#include "workload/generate_lublin.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <queue>
#include <string>
#include <vector>

namespace {

// --- the plain program --------------------------------------------------------------------------

struct Step {
    double time; // from then on, until the next step
    int free;    // processors
};

class Profile {
  public:
    explicit Profile(int procs) : steps{{-HUGE_VAL, procs}} {}

    void add(double from, double to, int procs)
    {
        size_t first = step_at(from), last = step_at(to);
        for (size_t i = first; i < last; i++)
            steps[i].free += procs;
        merge(last);
        merge(first);
    }

    double earliest(double now, int procs, double length) const
    {
        size_t i = 0;
        while (i + 1 < steps.size() && steps[i + 1].time <= now)
            i++;
        for (;;) {
            while (steps[i].free < procs)
                i++;
            double start = std::max(now, steps[i].time), end = start + length;
            size_t k = i + 1;
            while (k < steps.size() && steps[k].time < end && steps[k].free >= procs)
                k++;
            if (k == steps.size() || steps[k].time >= end)
                return start;
            i = k;
        }
    }

    void forget(double now)
    {
        size_t i = 0;
        while (i + 1 < steps.size() && steps[i + 1].time <= now)
            i++;
        steps.erase(steps.begin(), steps.begin() + long(i));
    }

  private:
    std::vector<Step> steps;

    size_t step_at(double time)
    {
        size_t i = 0;
        while (i < steps.size() && steps[i].time < time)
            i++;
        if (i == steps.size() || steps[i].time != time)
            steps.insert(steps.begin() + long(i), Step{time, i > 0 ? steps[i - 1].free : steps[0].free});
        return i;
    }

    void merge(size_t i)
    {
        if (i > 0 && i < steps.size() && steps[i].free == steps[i - 1].free)
            steps.erase(steps.begin() + long(i));
    }
};

struct Waiting {
    int32_t job;
    double start;
};

std::vector<double> run_plain(const orr_instance &in)
{
    typedef std::pair<double, int32_t> End;
    std::priority_queue<End, std::vector<End>, std::greater<End>> ends;
    std::vector<double> starts(size_t(in.count));
    std::vector<Waiting> queue;
    Profile profile(in.procs);
    int32_t submitted = 0;
    while (submitted < in.count || !ends.empty()) {
        double now = ends.empty() ? HUGE_VAL : ends.top().first;
        if (submitted < in.count)
            now = std::min(now, in.submit[in.by_submission[submitted]]);
        bool ended = false;
        profile.forget(now);
        for (; !ends.empty() && ends.top().first == now; ends.pop()) {
            int32_t job = ends.top().second;
            double planned = starts[size_t(job)] + in.estimate[job];
            if (planned > now)
                profile.add(now, planned, in.jobs->procs[job]);
            ended = true;
        }
        for (Waiting &w : queue) {
            if (!ended)
                break;
            int procs = in.jobs->procs[w.job];
            profile.add(w.start, w.start + in.estimate[w.job], procs);
            w.start = profile.earliest(now, procs, in.estimate[w.job]);
            profile.add(w.start, w.start + in.estimate[w.job], -procs);
        }
        for (; submitted < in.count && in.submit[in.by_submission[submitted]] == now; submitted++) {
            int32_t job = in.by_submission[submitted], procs = in.jobs->procs[job];
            double start = profile.earliest(now, procs, in.estimate[job]);
            profile.add(start, start + in.estimate[job], -procs);
            queue.push_back({job, start});
        }
        auto is_due = [now](const Waiting &w) { return w.start == now; };
        for (const Waiting &w : queue)
            if (is_due(w)) {
                starts[size_t(w.job)] = now;
                ends.push({now + orr_job_length(&in, w.job), w.job});
            }
        queue.erase(std::remove_if(queue.begin(), queue.end(), is_due), queue.end());
    }
    return starts;
}

// --- the kernel ---------------------------------------------------------------------------------

double run_kernel(const orr_instance &in, orr_rigid_discipline discipline, std::vector<double> *ends)
{
    orr_error err;
    orr_rigid_policy policy = {};
    policy.size = sizeof policy;
    policy.name = "bench";
    policy.discipline = discipline;
    policy.reservations = 1;
    orr_rigid_setup setup = {};
    setup.size = sizeof setup;
    setup.instance = &in;
    setup.policy = &policy;
    setup.seed = 1;
    double begin = seconds();
    orr_rigid *sim = orr_rigid_create(&setup, &err);
    if (!sim || orr_rigid_reset(sim, nullptr, 1, &err) != ORR_OK ||
        orr_rigid_finish(sim, nullptr, &err) != ORR_OK) {
        std::fprintf(stderr, "promises: %s\n", err.message);
        std::exit(1);
    }
    double spent = seconds() - begin;
    const double *found = orr_rigid_result(sim).ends;
    if (ends)
        ends->assign(found, found + in.count);
    orr_rigid_destroy(sim);
    return spent;
}

// The most jobs that wait at one time.
int32_t longest_queue(const orr_instance &in, const std::vector<double> &ends)
{
    std::vector<double> starts;
    for (int32_t job = 0; job < in.count; job++)
        starts.push_back(ends[size_t(job)] - orr_job_length(&in, job));
    std::sort(starts.begin(), starts.end());
    int32_t most = 0, submitted = 0;
    for (int32_t started = 0; started < in.count; started++) {
        while (submitted < in.count &&
               in.submit[in.by_submission[submitted]] < starts[size_t(started)])
            submitted++;
        most = std::max(most, submitted - started);
    }
    return most;
}

} // namespace

int main(int argc, char **argv)
{
    orr_lublin log = orr_lublin_default();
    int32_t procs = 10000;
    uint64_t seed = 1;
    bool plain = true;
    log.count = 5000;
    log.procs = 0;
    log.days = HUGE_VAL;
    log.load = 0.9;
    log.round_walltimes = true;
    for (int i = 1; i < argc; i++) {
        std::string option = argv[i];
        size_t at = option.find('=');
        std::string name = option.substr(0, at);
        double number = std::strtod(at == std::string::npos ? "" : argv[i] + at + 1, nullptr);
        if (name == "count")
            log.count = int32_t(number);
        else if (name == "procs")
            procs = int32_t(number);
        else if (name == "widest")
            log.procs = int32_t(number);
        else if (name == "load")
            log.load = number;
        else if (name == "walltimes")
            log.walltime = number;
        else if (name == "seed")
            seed = uint64_t(number);
        else if (name == "plain")
            plain = number != 0;
        else {
            std::fprintf(stderr, "promises: unknown option %s\n", argv[i]);
            return 2;
        }
    }
    log.procs = log.procs ? log.procs : procs;
    log.load *= double(procs) / log.procs;

    orr_error err;
    orr_instance in = {};
    orr_instance_options how = {};
    how.size = sizeof how;
    how.procs = procs;
    how.log_walltimes = log.walltime > 0;
    orr_jobs *jobs = orr_generate_lublin(&log, seed, 0, nullptr, &err);
    if (!jobs || orr_instance_create(&in, jobs, &how, nullptr, &err) != ORR_OK) {
        std::fprintf(stderr, "promises: %s\n", err.message);
        return 1;
    }
    std::vector<double> ends;
    double kernel = run_kernel(in, ORR_DISPATCH_CONSERVATIVE, &ends);
    double easy = run_kernel(in, ORR_DISPATCH_LIST, nullptr);
    double spent = 0;
    long different = 0;
    if (plain) {
        double begin = seconds();
        std::vector<double> starts = run_plain(in);
        spent = seconds() - begin;
        for (int32_t job = 0; job < in.count; job++)
            different += starts[size_t(job)] + orr_job_length(&in, job) != ends[size_t(job)];
    }
    std::printf("%.4f %.4f %.4f %d %ld\n", kernel, easy, spent, int(longest_queue(in, ends)),
                different);
    orr_instance_destroy(&in);
    orr_jobs_destroy(jobs);
    return 0;
}
