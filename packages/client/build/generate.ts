/**
 * `bun run client:types`: writes the types of the gateway's API to node_modules/.cache/client/api.d.ts, unless the services'
 * sources are as they were. `bun run client:routes`: writes src/routes.ts, the Python client's routes.py and docs/postman.json;
 * test/e2e/clients.test.ts fails while one of them is stale.
 */
import { join } from 'node:path'
import { wholeDocument } from '@bursar/testing/documents'
import { writeTypes } from '@bursar/testing/generated-types'
import type { GatewayDocument } from './gateway-document'
import { postmanCollection } from './postman'
import { pythonRoutesFile, routesFile } from './routes-file'

const folder = join(import.meta.dir, '..')

if (process.argv.includes('--routes')) {
  const document = await wholeDocument<GatewayDocument>()
  await Bun.write(join(folder, 'src/routes.ts'), routesFile(document))
  await Bun.write(join(folder, '../client-python/bursar_client/routes.py'), pythonRoutesFile(document))
  await Bun.write(join(folder, '../../docs/postman.json'), `${JSON.stringify(postmanCollection(document), null, 1)}\n`)
} else {
  const sources = ['services/*/src/**/*.ts', 'packages/{contracts,http}/src/**/*.ts']
  const wasWritten = await writeTypes(join(folder, '../../node_modules/.cache/client/api.d.ts'), sources, wholeDocument)
  if (wasWritten) process.stdout.write("The client's types are written\n")
}
process.exit(0)
