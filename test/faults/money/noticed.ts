// What the recount says of an attack, on copies of the databases and a node that is put back.
import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { tempDir } from '@bursar/testing'
import type { Attack } from './attacks'
import type { Finding } from './recount/finding'
import { recount } from './recount/recount'
import { readState } from './recount/state'
import { sendAs } from './rpc'
import type { Done } from './run'

/** The findings that the attack has added. */
export async function noticed(done: Done, attack: Attack): Promise<Finding[]> {
  const { node } = done.world.stack
  const file = copiesOf(done)
  const named = new Map(done.knowledge.named)
  const knowledge = { ...done.knowledge, named }
  const attacked = async () => {
    await attack.act({
      state: done.state,
      knowledge,
      named,
      nodeUrl: node.url,
      token: node.token,
      change: (service, work) => changeIn(file(service), work),
      sendAs: (from, transaction) => sendAs(node.url, from, transaction),
    })
    return recount(await readState(file, node.url, node.token, knowledge), knowledge)
  }
  try {
    const after = await node.takenBack(attacked)
    const known = new Set(done.findings.map(wordsOf))
    return after.filter((finding) => !known.has(wordsOf(finding)))
  } finally {
    rmSync(dirname(file('wallet')), { recursive: true, force: true })
  }
}

/** Changes a database past its triggers. */
function changeIn(file: string, work: (database: Database) => void): void {
  const database = new Database(file)
  const triggers = database.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'trigger'").all()
  for (const { name } of triggers) database.run(`DROP TRIGGER ${name}`)
  database.transaction(() => work(database))()
  database.close()
}

/** Services whose databases the recount reads. */
const readByRecount = [
  'core-ledger',
  'wallet',
  'blockchain',
  'transaction-manager',
  'account',
  'customer',
  'main-api',
] as const

const wordsOf = ({ kind, id, what }: Finding) => `${kind} ${id} ${what}`

function copiesOf({ copies }: Done): (service: ServiceName) => string {
  const folder = join(tempDir(), 'attacked')
  mkdirSync(folder)
  for (const service of readByRecount)
    for (const end of ['', '-wal']) {
      const from = copies(service) + end
      if (existsSync(from)) copyFileSync(from, join(folder, basename(from)))
    }
  return (service) => join(folder, basename(copies(service)))
}
