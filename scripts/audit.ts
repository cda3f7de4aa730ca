/**
 * `bun run audit`: recomputes the core ledger's books from its journal and says whether they are right. Only reads, and
 * may run beside the service.
 */
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { openReadOnly } from '@bursar/store'
import { type AuditReport, auditAll } from '../services/core-ledger/src/bookkeeping/audit'

const help = `Usage: bun run audit [--data-dir <folder>]

Recomputes every balance of the core ledger from the entries of its journal, recomputes the hash chain over the entries,
and holds every transaction against the entries it has posted. Prints what it checked. Ends with 0 when everything
agrees, with 1 at the first difference, which it names. It only reads, and may run beside the service.

  --data-dir <folder>   where core.sqlite is (DATA_DIR, or data)
  --help                this text
`

/** The folder that the arguments name. Throws on arguments that it does not know. */
function dataDirFrom(words: string[]): string {
  if (words.length === 0) return process.env.DATA_DIR || 'data'
  const [option, folder, ...rest] = words
  if (option === '--data-dir' && folder && rest.length === 0) return folder
  throw new Error(`Not understood: ${words.join(' ')}. See bun run audit --help`)
}

function print(report: AuditReport, seconds: number): void {
  const { entries, sealed, balances, transactions } = report
  const lines = [
    `hash chain     ${sealed} of ${entries} entries are sealed, and every seal holds`,
    `balances       ${balances} balances of accounts are what ${entries} entries come to, none is negative`,
    `transactions   ${transactions} transactions have the entries that their status says, and no others`,
    `The books are right (${seconds.toFixed(1)} s).`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function main(words: string[]): Promise<number> {
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(help)
    return 0
  }
  try {
    const database = openReadOnly(join(dataDirFrom(words), `${services['core-ledger'].slug}.sqlite`))
    print(await auditAll(database.read), performance.now() / 1000)
    database.close()
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

process.exit(await main(process.argv.slice(2)))
