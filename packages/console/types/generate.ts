/**
 * `bun run console:types`: writes the types of every service's API to `.cache/console/<service>.d.ts`, from the OpenAPI
 * document that the service serves. A service whose sources are as they were is left alone.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ServiceName, services } from '@bursar/contracts/services'
import { freePort, tempDir } from '@bursar/testing'
import { builtServices, startBuilt } from '@bursar/testing/platform'
import openapiTs, { astToString, type OpenAPI3 } from 'openapi-typescript'

const root = join(import.meta.dir, '../../..')
const cache = join(root, '.cache/console')

/** What the document of a service can come from. */
function sourcesHash(name: ServiceName): string {
  const hash = new Bun.CryptoHasher('sha256')
  const folders = [`services/${name}/src`, 'packages/contracts/src', 'packages/http/src']
  const paths = folders.flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.ts`).scanSync({ cwd: root })].sort())
  if (paths.length === 0) throw new Error(`${name} has no sources: its types would never be written anew`)
  for (const path of [...paths, 'bun.lock', 'packages/console/types/generate.ts']) {
    hash.update(path).update(readFileSync(join(root, path)))
  }
  return `// ${hash.digest('hex')}\n`
}

async function documentOf(name: ServiceName): Promise<OpenAPI3> {
  const running = await startBuilt(name, {
    DATA_DIR: tempDir(),
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    LOG_LEVEL: 'silent',
    // Else its password would be printed.
    ADMIN_EMAIL: 'types@localhost.example',
    ADMIN_PASSWORD: crypto.randomUUID(),
    [`${services[name].slug.toUpperCase()}_PORT`]: '0',
  })
  try {
    return (await (await fetch(`${running.url}/v1/swagger/json`)).json()) as OpenAPI3
  } finally {
    await running.stop()
  }
}

async function generate(name: ServiceName): Promise<boolean> {
  const file = join(cache, `${name}.d.ts`)
  const head = sourcesHash(name)
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(head)) return false
  const nodes = await openapiTs(await documentOf(name), { alphabetize: true })
  await Bun.write(file, head + astToString(nodes))
  return true
}

const names = builtServices().filter((name) => name !== 'gateway')
const written = (await Promise.all(names.map(async (name) => ((await generate(name)) ? name : [])))).flat()
if (written.length > 0) process.stdout.write(`The console's types are written: ${written.join(', ')}\n`)
process.exit(0)
