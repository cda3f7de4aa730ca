/** `bun run console:types`: writes the types of every service's API, from the OpenAPI document that the service serves. */
import { dirname, join } from 'node:path'
import { documentOf } from '@bursar/testing/documents'
import { writeTypes } from '@bursar/testing/generated-types'
import { builtServices } from '@bursar/testing/platform'
import { runCommand } from './stack/command'

const help = `Usage: bun run console:types

Writes the types of every service's API to .cache/console/<service>.d.ts, for the console. A service whose sources are as they
were is left alone.
`

const cache = join(dirname(import.meta.dir), '.cache/console')

await runCommand({ name: 'console:types', help }, async () => {
  const names = builtServices().filter((name) => name !== 'gateway')
  const outcomes = await Promise.all(
    names.map(async (name) => {
      const sources = [`services/${name}/src/**/*.ts`, 'packages/{contracts,http}/src/**/*.ts']
      return (await writeTypes(join(cache, `${name}.d.ts`), sources, () => documentOf(name))) ? [name] : []
    }),
  )
  const written = outcomes.flat()
  if (written.length > 0) return `The console's types are written: ${written.join(', ')}`
})
process.exit()
