/**
 * `bun run seed`: records to begin with in all services, and those that the examples of the OpenAPI documents name. What
 * is there already is left as it is, so it may be run again at any time. Talks to the running services, like any client.
 */
import { type ExampleId, exampleIds } from '@bursar/contracts/examples'
import { serviceConfig } from '@bursar/http'
import { seed } from './seed/seed'

const help = `Usage: bun run seed

Puts records to begin with into the running services: the assets, categories and market data providers of the quote
service (coinbase, kraken and bitstamp, which need no key), the assets of the core ledger, two customers with accounts and
wallets, the participant Harbour Bank with a webhook endpoint and a screening, a message, movements of USDC on the
simulated Polygon in every state, institutions of the main API with a custodian bank, users, and payments between banks;
what happens to the money is in the notifications and the log. What is already there stays as it is. The services are
found by HOST, <SLUG>_PORT and <SLUG>_URL, as they find each other. With INTERNAL_AUTH=required they do not answer it.

It ends with the ids of the records that examples in the API's documentation name (docs/api.md, Examples).
`

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const unknown = process.argv.slice(2).filter((word) => word !== '--help' && word !== '-h')
if (unknown.length > 0) {
  process.stderr.write(`${unknown.join(' ')}: not known; see bun run seed --help\n`)
  process.exit(1)
}
if (process.argv.length > 2) {
  process.stdout.write(help)
  process.exit(0)
}

try {
  const ids = await seed({ urls: serviceConfig(process.env, 'quote').urls, say })
  say('\nIn the examples   stands for')
  for (const name of Object.keys(exampleIds) as ExampleId[]) {
    if (ids[name]) say(`${exampleIds[name]}  ${ids[name]}  ${name}`)
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
