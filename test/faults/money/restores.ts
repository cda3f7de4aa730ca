// One service's database is set back to an earlier copy while all others go on; then the documented way out is walked.
import { Database } from 'bun:sqlite'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { tempDir } from '@bursar/testing'
import { bringBack, type Faults, note, pause } from './fault'
import type { Unit } from './processes'
import { rows } from './recount/read-files'
import { removeDatabase } from './stack'

const restorable: readonly ServiceName[] = ['core-ledger', 'wallet', 'blockchain', 'transaction-manager', 'sanctions']

export async function restoreOne(faults: Faults, unit: Unit): Promise<void> {
  const { world, random } = faults
  const choices = unit.services.filter((name) => restorable.includes(name))
  if (choices.length === 0) return
  const service = random.pick(choices)
  const file = world.stack.file(service)
  const earlier = join(tempDir(), `${service}.earlier`)
  copyRunning(file, earlier)
  const ms = random.between(2000, 12_000)
  await pause(faults, ms)
  note(faults, `${service} set back`, `by ${ms} ms`)
  await world.stack.end(unit, 'SIGKILL')
  const newer = join(tempDir(), `${service}.newer`)
  copyRunning(file, newer)
  removeDatabase(file)
  copyFileSync(earlier, file)
  if (service === 'blockchain') keepSimulatedChains(file, newer)
  for (const id of takenBack(service, earlier, newer)) faults.excused.add(id)
  await bringBack(faults, unit)
  if (service === 'core-ledger') await openBooks(faults, unit)
}

function copyRunning(from: string, to: string): void {
  const database = new Database(from)
  database.run('PRAGMA busy_timeout = 5000')
  database.run('VACUUM INTO ?', [to])
  database.close()
}

/** The simulated chains stand for the world outside, which no restore sets back. */
function keepSimulatedChains(file: string, newer: string): void {
  const database = new Database(file)
  database.run('ATTACH ? AS newer', [newer])
  const tables = database.query<{ name: string }, []>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'simulated!_%' ESCAPE '!'",
  )
  database.transaction(() => {
    for (const { name } of tables.all()) {
      database.run(`DELETE FROM ${name}`)
      database.run(`INSERT INTO ${name} SELECT * FROM newer.${name}`)
    }
  })()
  database.close()
}

/** Records that were answered, and that the earlier copy does not have. */
function takenBack(service: ServiceName, earlier: string, newer: string): string[] {
  const table = (
    { 'core-ledger': 'transactions', blockchain: 'transactions', 'transaction-manager': 'payments' } as Record<
      string,
      string
    >
  )[service]
  if (!table) return []
  const ids = (file: string) => rows<{ id: string }>(file, `SELECT id FROM ${table}`).map(({ id }) => id)
  const kept = new Set(ids(earlier))
  return ids(newer).filter((id) => !kept.has(id))
}

/** A ledger that is older than its last sealed head moves no money until it is started once with NEW_BOOKS=yes. */
async function openBooks(faults: Faults, unit: Unit): Promise<void> {
  const { stack } = faults.world
  for (let looks = 0; looks < 10; looks++) {
    const path = `${stack.url('core-ledger')}/v1/transactions/complete-screening`
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(path, { method: 'POST', headers, body: '{}', signal: AbortSignal.timeout(5000) }).catch(
      () => null,
    )
    const said = (await answer?.text().catch(() => '')) ?? ''
    if (answer?.status === 503 && said.includes('NEW_BOOKS')) {
      note(faults, 'core-ledger started with NEW_BOOKS=yes')
      await stack.end(unit, 'SIGTERM')
      return await bringBack(faults, unit, { NEW_BOOKS: 'yes' })
    }
    await Bun.sleep(500)
  }
}
