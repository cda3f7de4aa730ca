import { availableParallelism } from 'node:os'

const count = availableParallelism()
const taskset = count > 1 ? Bun.which('taskset') : null

/** The prefix of a server’s command that pins it to the first core; empty if that is not possible. */
export const onServerCore: readonly string[] = taskset ? [taskset, '-c', '0'] : []

/** For what is to have all cores, although this process has left the first. */
export const onAllCores: readonly string[] = taskset ? [taskset, '-c', `0-${count - 1}`] : []

/** The prefix of a command that gets so many hundredths of a core at most, by a control group of its own: for root, on Linux. */
export function atMost(hundredths: number): readonly string[] {
  const quotaUs = hundredths * 100
  const script = `set -e
    if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
      all=/sys/fs/cgroup; group=$all/bench-$$; mkdir $group
      echo '${quotaUs} 10000' >$group/cpu.max
    else
      all=/sys/fs/cgroup/cpu; group=$all/bench-$$; mkdir $group
      echo 10000 >$group/cpu.cfs_period_us; echo ${quotaUs} >$group/cpu.cfs_quota_us
    fi
    echo $$ >$group/cgroup.procs
    # Those of processes that have ended: a group with a process in it stays.
    rmdir $all/bench-* 2>/dev/null || true
    exec "$@"`
  return ['sh', '-c', script, 'sh']
}

/** Keeps this process, and what it starts, off the server's core: the client, Redis, the providers. */
export async function leaveServerCore(): Promise<void> {
  if (!taskset) return
  const moved = Bun.spawn([taskset, '-a', '-cp', `1-${count - 1}`, String(process.pid)], { stdout: 'ignore' })
  if ((await moved.exited) !== 0) throw new Error('taskset could not move the client to the other cores')
}

/** How the cores are shared out, in words. */
export const coresInWords = taskset
  ? `${count} cores, server on one, client on the other${count > 2 ? 's' : ''}`
  : `${count} core${count > 1 ? 's' : ''}, server and client together`
