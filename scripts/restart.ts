/** `bun run restart`: restarts services one after another; no request is lost. */
import { join } from 'node:path'
import { isServiceName, serviceNames, services } from '@bursar/contracts/services'
import { environment } from '@bursar/http/environment'
import { holderOf } from '@bursar/store/file-lock'
import { carryOut } from './stack/complaint'
import { readOptions } from './stack/options'
import { dataDirOf } from './stack/place'
import { type Address, addressesOf } from './stack/procfile'
import { problemWithLife } from './stack/ready'
import { runnerOf } from './stack/stack-lock'

const help = `Usage: bun run restart [services] [--data-dir <folder>]

Restarts services of the running stack one after another: those that are named, or all, the gateway last. Each finishes what is
under way, and requests that come meanwhile wait for it (RESTART_WAIT_MS). Only the gateway's own restart is seen from outside:
for a second or two nothing answers at its port, unless a proxy in front of it waits. Settings that were changed take effect when
all is started again; what lies in files (keys, certificates, <NAME>_FILE) is read anew.

  --data-dir <folder>   where the databases are (DATA_DIR, or data)
  --help                this text
`

/** Machines may be busy. */
const longestMs = 60_000

/** Ends the service; the stack's runner starts it again. Resolves when it answers, with the time that took. */
async function restart({ name, url }: Address, dataDir: string): Promise<number> {
  const database = join(dataDir, `${isServiceName(name) ? services[name].slug : name}.sqlite`)
  const before = holderOf(database)?.pid
  if (before === undefined) throw new Error(`${name} does not run on ${dataDir}`)
  const startMs = performance.now()
  process.kill(before, 'SIGTERM')
  for (;;) {
    const now = holderOf(database)?.pid
    if (now !== undefined && now !== before && (await problemWithLife({ name, url })) === null)
      return performance.now() - startMs
    if (performance.now() - startMs > longestMs)
      throw new Error(`${name} does not answer again after ${longestMs / 1000} s: look at its log`)
    await Bun.sleep(25)
  }
}

function chosen(names: readonly string[], env: NodeJS.ProcessEnv): Address[] {
  const unknown = names.find((name) => !isServiceName(name))
  if (unknown) throw new Error(`There is no service ${unknown}; there are ${serviceNames.join(', ')}`)
  const all = addressesOf(names.length > 0 ? names : serviceNames, env)
  return all.toSorted((one, other) => Number(one.name === 'gateway') - Number(other.name === 'gateway'))
}

async function main(): Promise<void> {
  const { values, positionals } = readOptions('restart', {
    allowPositionals: true,
    options: { 'data-dir': { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  })
  if (values.help) return void process.stdout.write(help)
  const dataDir = dataDirOf(values['data-dir'])
  if (!runnerOf(dataDir)) throw new Error(`Nothing runs on ${dataDir} that would start a service again`)
  const pids = Object.values(services).map(({ slug }) => holderOf(join(dataDir, `${slug}.sqlite`))?.pid)
  const known = pids.filter((pid) => pid !== undefined)
  if (new Set(known).size < known.length)
    throw new Error('All services run in one process: stop the stack and start it again')
  for (const address of chosen(positionals, environment())) {
    const tookMs = await restart(address, dataDir)
    process.stdout.write(`${address.name} runs again (${(tookMs / 1000).toFixed(1)} s)\n`)
  }
}

await carryOut(main)
