/**
 * `bun run client:types`: writes the types of the gateway's API to node_modules/.cache/client/api.d.ts, unless the services'
 * sources are as they were. `bun run client:routes`: writes src/routes.ts; test/e2e/clients.test.ts fails while it is stale.
 */
import { join } from 'node:path'
import { wholeDocument } from '@bursar/testing/documents'
import { writeTypes } from '@bursar/testing/generated-types'
import { type GatewayDocument, pythonRoutesFile, routesFile } from './routes-file'

const folder = join(import.meta.dir, '..')

if (process.argv.includes('--routes')) {
  const document = await wholeDocument<GatewayDocument>()
  await Bun.write(join(folder, 'src/routes.ts'), routesFile(document))
  await Bun.write(join(folder, '../client-python/bursar_client/routes.py'), pythonRoutesFile(document))
} else {
  const sources = ['services/*/src/**/*.ts', 'packages/{contracts,http}/src/**/*.ts']
  const wasWritten = await writeTypes(join(folder, '../../node_modules/.cache/client/api.d.ts'), sources, wholeDocument)
  if (wasWritten) process.stdout.write("The client's types are written\n")
}
process.exit(0)
