/** `bun run client:pack`: packs the TypeScript client as npm does. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { packClient } from '@bursar/client/pack'
import { wholeDocument } from '@bursar/testing/documents'
import { runCommand } from './stack/command'

const help = `Usage: bun run client:pack

Packs the TypeScript client as npm does, into .cache, and prints the path of the tarball.
`

const cache = join(dirname(import.meta.dir), '.cache')

await runCommand({ name: 'client:pack', help }, async () => {
  const folder = mkdtempSync(join(cache, 'client-'))
  try {
    const made = await packClient(await wholeDocument(), folder)
    const tarball = join(cache, basename(made))
    renameSync(made, tarball)
    return tarball
  } finally {
    rmSync(folder, { recursive: true })
  }
})
process.exit()
