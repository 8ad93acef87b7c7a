// A plain C++ loop for EASY whose order may depend on the time: at every decision it computes the
// priority of all jobs that wait, sorts them anew, and walks through them. What a user would write
// who needs one such simulation and no simulator; the yardstick of `make bench`.
//
//   priorities RULE COUNT LOAD
//   RULE: wfp3, unicef, aging or fair-share, as in policies/; fcfs: in the order of submission
//   prints: seconds of processor time, mean wait (s), jobs that wait at a decision in the mean
//
//   priorities RULE LOG
//   LOG: plain CSV as `orrery generate lublin` writes it; for a machine of 10,000 processors
//   prints: id and start of each job (s), which is all that such a program is for
#include "measure.h"

#include "workload/generate_lublin.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

namespace
{

const int PROCS = 10000, USERS = 97;
const double PATIENCE = 86400, BEFORE_ALL = 1e15, HALF_LIFE = 7 * 86400;
const double NEVER = HUGE_VAL, LOG2_OF_ONE = std::pow(2.0, -40);

struct Job {
    double submit, time, start, priority;
    int procs, position;
    std::string user;
};

struct Account {
    double used, at;
};

struct End {
    double time;
    Job *job;
    bool operator<(const End &other) const
    {
        return time > other.time;
    }
};

enum Rule { WFP3, UNICEF, AGING, FAIR_SHARE, FCFS };

class Loop
{
  public:
    Loop(Rule rule, std::vector<Job> &jobs) : rule(rule), jobs(jobs) {}

    void run()
    {
        size_t next = 0, young = 0;
        while (next < jobs.size() || !ends.empty()) {
            now = next < jobs.size() ? jobs[next].submit : NEVER;
            if (!ends.empty())
                now = std::min(now, ends.top().time);
            while (rule == AGING && young < next && jobs[young].start >= 0)
                young++;
            if (rule == AGING && young < next)
                now = std::min(now, jobs[young].submit + PATIENCE);
            for (; !ends.empty() && ends.top().time == now; ends.pop())
                finish(*ends.top().job);
            for (; next < jobs.size() && jobs[next].submit == now; next++)
                waiting.push_back(&jobs[next]);
            while (rule == AGING && young < next && jobs[young].submit + PATIENCE <= now)
                young++;
            decide();
        }
    }

    double waiting_in_the_mean() const
    {
        return double(seen) / double(decisions);
    }

  private:
    Rule rule;
    std::vector<Job> &jobs;
    std::vector<Job *> waiting;
    std::vector<End> running; // sorted by planned end
    std::priority_queue<End> ends;
    std::unordered_map<std::string, Account> accounts;
    int free_procs = PROCS;
    double now = 0;
    long seen = 0, decisions = 0;

    double usage(const std::string &user) const
    {
        auto account = accounts.find(user);
        if (account == accounts.end())
            return 0;
        const Account &a = account->second;
        return a.used * std::pow(0.5, (now - a.at) / HALF_LIFE);
    }

    void charge(const Job &job, double amount)
    {
        double used = usage(job.user) + amount;
        accounts[job.user] = Account{used, now};
    }

    double priority(const Job &job) const
    {
        double wait = now - job.submit;
        switch (rule) {
        case WFP3:
            return wait == 0 ? 0 : std::pow(wait / job.time, 3) * job.procs;
        case UNICEF: {
            double width = job.procs > 1 ? std::log2(job.procs) : LOG2_OF_ONE;
            return wait == 0 ? 0 : wait / (width * job.time);
        }
        case AGING:
            return now >= job.submit + PATIENCE ? BEFORE_ALL - job.submit : -job.time;
        case FAIR_SHARE:
            return -usage(job.user);
        default:
            return 0;
        }
    }

    void start(Job &job)
    {
        job.start = now;
        free_procs -= job.procs;
        End end = {now + job.time, &job};
        ends.push(end);
        running.insert(std::lower_bound(running.begin(), running.end(), end,
                                        [](const End &a, const End &b) { return a.time < b.time; }),
                       end);
        if (rule == FAIR_SHARE)
            charge(job, job.time * job.procs);
    }

    void finish(Job &job)
    {
        free_procs += job.procs;
        running.erase(std::find_if(running.begin(), running.end(),
                                   [&](const End &end) { return end.job == &job; }));
        if (rule == FAIR_SHARE)
            charge(job, job.procs * (now - job.start) - job.time * job.procs);
    }

    // When the first job can start, and how many processors are left then.
    double shadow(const Job &head, int &extra) const
    {
        int available = free_procs;
        for (size_t i = 0;; i++) {
            if (available >= head.procs &&
                (i == 0 || i == running.size() || running[i].time > running[i - 1].time)) {
                extra = available - head.procs;
                return i == 0 ? now : running[i - 1].time;
            }
            available += running[i].job->procs;
        }
    }

    void decide()
    {
        seen += long(waiting.size());
        decisions++;
        for (Job *job : waiting)
            job->priority = priority(*job);
        std::sort(waiting.begin(), waiting.end(), [](const Job *a, const Job *b) {
            if (a->priority != b->priority)
                return a->priority > b->priority;
            return a->position < b->position;
        });
        size_t first = 0;
        std::vector<Job *> started;
        while (first < waiting.size() && waiting[first]->procs <= free_procs)
            start(*waiting[first++]);
        if (first < waiting.size() && free_procs > 0) {
            int extra;
            double until = shadow(*waiting[first], extra);
            for (size_t i = first + 1; i < waiting.size() && free_procs > 0; i++) {
                Job &job = *waiting[i];
                bool ends_before = now + job.time <= until;
                if (job.procs > free_procs || (!ends_before && job.procs > extra))
                    continue;
                extra -= ends_before ? 0 : job.procs;
                start(job);
            }
        }
        waiting.erase(std::remove_if(waiting.begin(), waiting.end(),
                                     [](const Job *job) { return job->start >= 0; }),
                      waiting.end());
    }
};

std::vector<Job> generate(int count, double load)
{
    orr_lublin log = orr_lublin_default();
    log.count = count;
    log.procs = PROCS;
    log.days = NEVER;
    log.load = load;
    orr_jobs *made = orr_generate_lublin(&log, 1, 0, NULL, NULL);
    std::vector<Job> jobs;
    for (int i = 0; made && i < made->count; i++)
        jobs.push_back(Job{made->submit[i], made->time[i], -1, 0, made->procs[i], i,
                           "u" + std::to_string(long(i) * 7919 % USERS)});
    orr_jobs_destroy(made);
    return jobs;
}

std::vector<Job> read(const char *path, std::vector<std::string> &ids)
{
    std::vector<Job> jobs;
    char line[256], id[64];
    std::FILE *file = std::fopen(path, "r");
    for (bool head = true; file && std::fgets(line, sizeof line, file); head = false) {
        Job job = {0, 0, -1, 0, 0, int(jobs.size()), ""};
        if (head ||
            std::sscanf(line, "%63[^,],%lf,%d,%lf", id, &job.submit, &job.procs, &job.time) != 4)
            continue;
        ids.push_back(id);
        jobs.push_back(job);
    }
    if (file)
        std::fclose(file);
    return jobs;
}

} // namespace

int main(int argc, char **argv)
{
    const char *const rules[] = {"wfp3", "unicef", "aging", "fair-share", "fcfs"};
    int rule = 0;
    while ((argc == 4 || argc == 3) && rule < 5 && std::strcmp(argv[1], rules[rule]) != 0)
        rule++;
    if ((argc != 4 && argc != 3) || rule == 5) {
        std::fprintf(stderr,
                     "usage: priorities wfp3|unicef|aging|fair-share|fcfs COUNT LOAD|LOG\n");
        return 2;
    }
    if (argc == 3) {
        std::vector<std::string> ids;
        std::vector<Job> read_jobs = read(argv[2], ids);
        Loop(Rule(rule), read_jobs).run();
        for (size_t i = 0; i < read_jobs.size(); i++)
            std::printf("%s,%.17g\n", ids[i].c_str(), read_jobs[i].start);
        return 0;
    }
    std::vector<Job> jobs = generate(std::atoi(argv[2]), std::atof(argv[3]));
    double begin = seconds();
    Loop loop(Rule(rule), jobs);
    loop.run();
    double spent = seconds() - begin, waits = 0;
    for (const Job &job : jobs)
        waits += job.start - job.submit;
    std::printf("%.6f %.9f %.1f\n", spent, waits / double(jobs.size()), loop.waiting_in_the_mean());
    return 0;
}
