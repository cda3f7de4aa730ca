/** `bun run restart`: restarts services one after another; no request is lost. */
import { join } from 'node:path'
import { isServiceName, serviceNames, services } from '@bursar/contracts/services'
import { environment } from '@bursar/http/environment'
import { holderOf } from '@bursar/store/file-lock'
import { dataDirOption, runCommand } from './stack/command'
import { dataDirOf } from './stack/place'
import { type Address, addressesOf } from './stack/procfile'
import { startMs as longestMs, problemWithLife } from './stack/ready'
import { doesRestart, runnerOf } from './stack/stack-lock'

const help = `Usage: bun run restart [services] [--data-dir <folder>]

Restarts services of the running stack one after another: those that are named, or all, the gateway last. Services that share a
process (scripts/start --in-groups) are restarted together. Each finishes what is under way, and requests that come meanwhile
wait for it (RESTART_WAIT_MS). Only the restart of the gateway's process is seen from outside: for a second or two nothing answers
at its port, unless a proxy in front of it waits. Settings that were changed take effect when all is started again; what lies in
files (keys, certificates, <NAME>_FILE) is read anew.

  --data-dir <folder>   where the databases are (DATA_DIR, or data)
  --help                this text
`

/** The process that runs a service; undefined when none does. */
function pidOf({ name }: Address, dataDir: string): number | undefined {
  return holderOf(join(dataDir, `${isServiceName(name) ? services[name].slug : name}.sqlite`))?.pid
}

/** Ends a process; the stack's runner starts it again. Resolves when its services answer, with the time that took. */
async function restart(pid: number, members: readonly Address[], dataDir: string): Promise<number> {
  const startMs = performance.now()
  process.kill(pid, 'SIGTERM')
  for (const member of members) {
    for (;;) {
      const now = pidOf(member, dataDir)
      if (now !== undefined && now !== pid && (await problemWithLife(member)) === null) break
      if (!runnerOf(dataDir)) throw new Error(`The stack has ended meanwhile, and ${member.name} with it`)
      if (performance.now() - startMs > longestMs)
        throw new Error(`${member.name} does not answer again after ${longestMs / 1000} s: look at its log`)
      await Bun.sleep(25)
    }
  }
  return performance.now() - startMs
}

/** The addresses of those that are named, or of all that run. */
function chosen(names: readonly string[], all: readonly Address[], dataDir: string): Address[] {
  const unknown = names.find((name) => !isServiceName(name))
  if (unknown) throw new Error(`There is no service ${unknown}; there are ${serviceNames.join(', ')}`)
  const running = all.filter((address) => pidOf(address, dataDir) !== undefined)
  if (names.length === 0) return running
  const absent = names.find((name) => running.every((address) => address.name !== name))
  if (absent) throw new Error(`${absent} does not run on ${dataDir}`)
  return running.filter(({ name }) => names.includes(name))
}

/** What shares the gateway's process comes last, and so does the gateway. */
function inOrder(addresses: readonly Address[], all: readonly Address[], dataDir: string): Address[] {
  const gateway = all.find(({ name }) => name === 'gateway')
  const last = gateway && pidOf(gateway, dataDir)
  const isLast = (address: Address) => Number(pidOf(address, dataDir) === last)
  return addresses.toSorted((one, other) => isLast(one) - isLast(other))
}

await runCommand({ name: 'restart', help, options: dataDirOption, takesWords: true }, async (values, given) => {
  const dataDir = dataDirOf(values['data-dir'])
  if (!runnerOf(dataDir)) throw new Error(`Nothing runs on ${dataDir} that would start a service again`)
  if (!doesRestart(dataDir))
    throw new Error(
      'The stack was started with --no-restart, and would end with a service: stop it and start it again (bun run stop)',
    )
  const all = addressesOf(serviceNames, environment())
  const pids = all.map((address) => pidOf(address, dataDir))
  if (pids[0] !== undefined && new Set(pids).size === 1)
    throw new Error('All services run in one process: stop the stack and start it again')
  const done = new Set<string>()
  for (const address of inOrder(chosen(given, all, dataDir), all, dataDir)) {
    if (done.has(address.name)) continue
    const pid = pidOf(address, dataDir)
    if (pid === undefined) throw new Error(`${address.name} does not run on ${dataDir}`)
    const members = all.filter((one) => pidOf(one, dataDir) === pid)
    const tookMs = await restart(pid, members, dataDir)
    const names = members.map(({ name }) => name)
    for (const name of names) done.add(name)
    console.log(`${names.join(', ')} ${names.length > 1 ? 'run' : 'runs'} again (${(tookMs / 1000).toFixed(1)} s)`)
  }
})
