/**
 * `bun run seed`: initial records in all services, and those that the examples of the OpenAPI documents name. Existing
 * records stay unchanged, so it may be run again at any time. It calls the running services, like any client.
 */
import { type ExampleId, exampleIds } from '@bursar/contracts/examples'
import { serviceConfig } from '@bursar/http'
import { seed } from './seed/seed'
import { runCommand } from './stack/command'

const help = `Usage: bun run seed

Puts first records into the running services: the assets, categories and market data providers of the quote
service (coinbase, kraken and bitstamp, which need no key), the assets of the core ledger, two customers with accounts and
wallets, the participant Harbour Bank with a webhook endpoint and a screening, a message, movements of USDC on the
simulated Polygon in every state, institutions of the main API with a custodian bank, users, and payments between banks;
notifications and log show what happens to the money. Existing records stay as they are. The services are found by HOST,
<SLUG>_PORT and <SLUG>_URL. With INTERNAL_AUTH=required they refuse it.

It prints the ids of the records that examples in the API's documentation name (docs/api.md, Examples).
`

await runCommand({ name: 'seed', help }, async () => {
  const ids = await seed({ urls: serviceConfig(process.env, 'quote').urls, say: console.log })
  console.log('\nIn the examples   stands for')
  for (const name of Object.keys(exampleIds) as ExampleId[]) {
    if (ids[name]) console.log(`${exampleIds[name]}  ${ids[name]}  ${name}`)
  }
})
