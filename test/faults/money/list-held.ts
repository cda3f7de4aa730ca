// Prints the wallet service's orders that wait for an operator, as JSON: what `bun run wallet:held` lists for people.
import { heldOrders } from '@bursar/contracts/held-orders'
import { createClient, createIdentity, openInternalSecret } from '@bursar/http'
import { config } from '../../../services/wallet/src/config'

const { dataDir, internalSecret, urls, name } = config()
const client = createClient({
  name,
  identity: createIdentity(name, openInternalSecret(dataDir, internalSecret), () => new Date()),
  urls,
  // A busy machine takes longer than a service waits.
  timeoutMs: 60_000,
})
const { items } = await client.call(heldOrders)
console.log(JSON.stringify(items))
process.exit(0)
