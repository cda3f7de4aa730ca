/** `bun run client:types`: writes the types of the gateway's API, for the TypeScript client. */
import { dirname, join } from 'node:path'
import { wholeDocument } from '@bursar/testing/documents'
import { writeTypes } from '@bursar/testing/generated-types'
import { runCommand } from './stack/command'

const help = `Usage: bun run client:types

Writes the types of the gateway's API to node_modules/.cache/client/api.d.ts, for the TypeScript client, unless the services'
sources are as they were.
`

const file = join(dirname(import.meta.dir), 'node_modules/.cache/client/api.d.ts')
const sources = ['services/*/src/**/*.ts', 'packages/{contracts,http}/src/**/*.ts']

await runCommand({ name: 'client:types', help }, async () => {
  if (await writeTypes(file, sources, wholeDocument)) return "The client's types are written"
})
process.exit()
