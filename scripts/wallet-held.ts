/** `bun run wallet:held`: the orders that wait for an operator after a restore, and what is to become of them. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { endHold, heldOrders, releaseHeldOrder, settleHeldOrder } from '@bursar/contracts/wallet'
import { createClient, createIdentity, openInternalSecret } from '@bursar/http'
import { config } from '../services/wallet/src/config'

const help = `Usage: bun run wallet:held [--release <id>] [--paid <id> --hash <hash>] [--end]

After a restore, orders from before it may have been paid although the restored databases do not say so: they wait. Look
each of them up on its chain (destination and amount), then say what it is. The wallet service must run.

  (nothing)                   lists the orders that wait
  --release <id>              it was not paid: it is carried out
  --paid <id> --hash <hash>   it was paid by this transaction, which the chain must know
  --end                       all that wait were not paid, nor what the ledger orders again: ends the waiting
  --help                      this text
`

async function main(): Promise<string> {
  const { values } = parseArgs({
    options: {
      release: { type: 'string' },
      paid: { type: 'string' },
      hash: { type: 'string' },
      end: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return help.trimEnd()
  const { dataDir, internalSecret, urls, name } = config()
  const secret = openInternalSecret(resolve(dataDir), internalSecret)
  const client = createClient({ name, identity: createIdentity(name, secret), urls })
  if (values.end) {
    await client.call(endHold, { body: {} })
    return 'Nothing waits any more.'
  }
  if (values.release) {
    await client.call(releaseHeldOrder, { params: { id: values.release }, body: {} })
    return `${values.release} is carried out.`
  }
  if (values.paid) {
    if (!values.hash) throw new Error('Name the transaction: --hash <hash>')
    await client.call(settleHeldOrder, { params: { id: values.paid }, body: { txHash: values.hash } })
    return `${values.paid} is recorded as paid by ${values.hash}.`
  }
  const { before, items } = await client.call(heldOrders)
  if (before === null) return 'There was no restore: nothing waits.'
  const lines = items.map(
    (each) =>
      `${each.id}  ${each.createdAt}  ${each.amount} ${each.assetCode} on ${each.network} to ${each.destinationAddress}`,
  )
  return [`Orders from before ${before} wait; there are ${items.length}.`, ...lines].join('\n')
}

try {
  console.log(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
