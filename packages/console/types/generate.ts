/**
 * `bun run console:types`: writes the types of every service's API to `.cache/console/<service>.d.ts`, from the OpenAPI
 * document that the service serves. A service whose sources are as they were is left alone.
 */
import { join } from 'node:path'
import { documentOf } from '@bursar/testing/documents'
import { writeTypes } from '@bursar/testing/generated-types'
import { builtServices } from '@bursar/testing/platform'

const cache = join(import.meta.dir, '../../../.cache/console')

const names = builtServices().filter((name) => name !== 'gateway')
const outcomes = await Promise.all(
  names.map(async (name) => {
    const sources = [`services/${name}/src/**/*.ts`, 'packages/{contracts,http}/src/**/*.ts']
    return (await writeTypes(join(cache, `${name}.d.ts`), sources, () => documentOf(name))) ? [name] : []
  }),
)
const written = outcomes.flat()
if (written.length > 0) process.stdout.write(`The console's types are written: ${written.join(', ')}\n`)
process.exit(0)
