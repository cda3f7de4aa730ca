/** `bun run client:pack`: packs the TypeScript client as npm does, into .cache, and prints the path of the tarball. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { wholeDocument } from '@bursar/testing/documents'
import { packClient } from './pack'

const cache = join(import.meta.dir, '../../../.cache')
const folder = mkdtempSync(join(cache, 'client-'))
try {
  const made = await packClient(await wholeDocument(), folder)
  const tarball = join(cache, basename(made))
  renameSync(made, tarball)
  process.stdout.write(`${tarball}\n`)
} finally {
  rmSync(folder, { recursive: true })
}
process.exit(0)
