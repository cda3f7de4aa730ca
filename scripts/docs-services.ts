/**
 * `bun run docs:services`: writes the generated part of docs/services/*.md from the contracts, .env.example and the
 * sources, and leaves what people wrote. test/tidy.test.ts fails while it is stale.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eventCatalogue } from '@bursar/contracts/events'
import { servicePages } from './docs-services/pages'
import { readSettings } from './docs-services/settings'
import { runCommand } from './stack/command'

const help = `Usage: bun run docs:services

Writes the generated part of docs/services/*.md from the contracts, .env.example and the sources: after a change of a setting or
an event. What people wrote stays.
`

const root = dirname(import.meta.dir)
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined)

await runCommand({ name: 'docs:services', help }, async () => {
  const pages = servicePages(read, {
    events: [...eventCatalogue.values()],
    settings: readSettings(read('.env.example') ?? ''),
    sourcesOf: (name) =>
      [...new Bun.Glob(`services/${name}/src/**/*.ts`).scanSync({ cwd: root })].map((path) => read(path) ?? ''),
  })
  for (const { path, expected } of pages) await Bun.write(join(root, path), expected)
  return `${pages.length} pages are written to docs/services`
})
