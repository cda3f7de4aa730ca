/** `bun run client:routes`: writes what the clients know of the gateway's API; test/e2e/clients.test.ts fails while it is stale. */
import { dirname, join } from 'node:path'
import type { GatewayDocument } from '@bursar/client/gateway-document'
import { postmanCollection } from '@bursar/client/postman'
import { pythonRoutesFile, routesFile } from '@bursar/client/routes-file'
import { wholeDocument } from '@bursar/testing/documents'
import { runCommand } from './stack/command'

const help = `Usage: bun run client:routes

Writes the routes of the TypeScript client and of the Python client, and docs/postman.json, from the gateway's OpenAPI document:
after a change of a route.
`

const root = dirname(import.meta.dir)

await runCommand({ name: 'client:routes', help }, async () => {
  const document = await wholeDocument<GatewayDocument>()
  await Bun.write(join(root, 'packages/client/src/routes.ts'), routesFile(document))
  await Bun.write(join(root, 'packages/client-python/bursar_client/routes.py'), pythonRoutesFile(document))
  await Bun.write(join(root, 'docs/postman.json'), `${JSON.stringify(postmanCollection(document), null, 1)}\n`)
})
process.exit()
