/**
 * `bun run sanctions:update`: brings the current OFAC list into the running sanctions service. The file is read and
 * checked here, to its end, before the service gets any of it; the service goes on screening meanwhile.
 */

import { messageOf } from '@bursar/contracts/log'
import { reportListFailure } from '@bursar/contracts/sanctions'
import { isCallError, orNull } from '@bursar/http'
import { readList } from './sanctions-update/read-list'
import { sendList } from './sanctions-update/send-list'
import { clientOf } from './stack/client'
import { readOptions } from './stack/options'
import { dataDirOf } from './stack/place'

const published = 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/SDN.XML'

const help = `Usage: bun run sanctions:update [file or URL] [--force]

Reads OFAC's SDN list in its published XML form, by default from
${published}
and gives it to the running sanctions service, which then screens again every address that it has ever screened.

  --force   accepts a list that is older than the current one, or has less than half its entries
  --help    this text
`

function tell(progress: string): void {
  process.stderr.write(`${progress}\n`)
}

async function main(): Promise<number> {
  const { values, positionals } = readOptions('sanctions:update', {
    allowPositionals: true,
    options: { force: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  })
  const [source = published, ...others] = positionals
  if (values.help || others.length > 0) {
    process.stdout.write(help)
    return values.help ? 0 : 1
  }
  // Activating a list of a million entries takes the service some seconds.
  const client = clientOf('sanctions', dataDirOf(), { timeoutMs: 60_000 })
  try {
    const list = await readList(source, tell)
    const { id } = await sendList(client, list, { force: values.force, tell })
    tell(`The list of ${list.publishedAt.slice(0, 10)} is in use (list ${id}, ${list.entries.length} entries).`)
    return 0
  } catch (error) {
    // The console shows it. If the service cannot be reached, only this terminal does.
    await orNull(client.call(reportListFailure, { body: { source, reason: wordsOf(error).slice(0, 2000) } }))
    throw error
  }
}

/** What an operator can do something about, in one sentence. */
const wordsOf = (error: unknown): string =>
  isCallError(error) && error.problem === 'unreachable'
    ? `${error.message}: start it, and run this again`
    : messageOf(error)

try {
  process.exit(await main())
} catch (error) {
  tell(`${wordsOf(error)}. The list in use stays.`)
  process.exit(1)
}
