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
import { runCommand } from './stack/command'
import { usageError } from './stack/options'
import { dataDirOf } from './stack/place'

const published = 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/SDN.XML'

const help = `Usage: bun run sanctions:update [file or URL] [--force]

Reads OFAC's SDN list in its published XML form, by default from
${published}
and gives it to the running sanctions service, which then screens again every address that it has ever screened.

  --force   accepts a list that is older than the current one, has less than half its entries, or is dated ahead
  --help    this text
`

const tell = (progress: string): boolean => process.stderr.write(`${progress}\n`)

/** What an operator can do something about, in one sentence. */
const wordsOf = (error: unknown): string =>
  isCallError(error) && error.problem === 'unreachable'
    ? `${error.message}: start it, and run this again`
    : messageOf(error)

async function update(source: string, force: boolean): Promise<void> {
  // Activating a list of a million entries takes the service some seconds.
  const client = clientOf('sanctions', dataDirOf())
  try {
    const list = await readList(source, tell)
    const { id } = await sendList(client, list, { force, tell })
    tell(`The list of ${list.publishedAt.slice(0, 10)} is in use (list ${id}, ${list.entries.length} entries).`)
  } catch (error) {
    // The console shows it. If the service cannot be reached, only this terminal does.
    await orNull(client.call(reportListFailure, { body: { source, reason: wordsOf(error).slice(0, 2000) } }))
    throw error
  }
}

const options = { force: { type: 'boolean', default: false } } as const
const command = { name: 'sanctions:update', help, options, takesWords: true }

await runCommand(command, async ({ force }, [source = published, ...others]) => {
  if (others.length > 0) throw usageError(command.name, 'Name one list')
  await update(source, force).catch((error: unknown) => {
    throw new Error(`${wordsOf(error)}. The list in use stays.`)
  })
})
