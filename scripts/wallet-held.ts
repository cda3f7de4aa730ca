/** `bun run wallet:held`: lists the orders that wait for an operator, and decides them. */
import {
  endHold,
  failHeldOrder,
  type HeldOrder,
  heldOrders,
  releaseHeldOrder,
  settleHeldOrder,
} from '@bursar/contracts/held-orders'
import { clientOf } from './stack/client'
import { runCommand } from './stack/command'
import { dataDirOf } from './stack/place'

const help = `Usage: bun run wallet:held [--release <id>] [--paid <id> --hash <hash>] [--fail <id>] [--end]

Orders wait here when they may have been paid, and no database says so:
  restored   from before a restore of the wallet service's database
  lost       signed, and unknown to the blockchain service, while their signatures may still be mined
  disowned   the core ledger has ended or forgotten them, and they may have been signed
Look each of them up on its chain, by its hashes or by destination and amount, then decide. The wallet service must run.

  (nothing)                   lists the orders that wait
  --release <id>              it was not paid: carry it out. It is signed again only when no earlier signature of it can
                              be mined
  --paid <id> --hash <hash>   it was paid by this transaction, which the chain must know
  --fail <id>                 it is disowned and was not paid: fail it for good
  --end                       no order that waits after the restore was paid, nor any that the ledger will order again:
                              release all
  --help                      this text
`

const options = {
  release: { type: 'string' },
  paid: { type: 'string' },
  hash: { type: 'string' },
  fail: { type: 'string' },
  end: { type: 'boolean', default: false },
} as const

function line({
  id,
  why,
  createdAt,
  amount,
  assetCode,
  network,
  destinationAddress,
  payer,
  signed,
  waitsFor,
}: HeldOrder): string {
  const hashes = signed.length === 0 ? 'no signature is known' : `signed as ${signed.join(', ')}`
  const from = payer === null ? '' : ` from ${payer}`
  return `${id}  ${why}  ${createdAt}  ${amount} ${assetCode} on ${network}${from} to ${destinationAddress}  ${hashes}${waitsFor === null ? '' : `  ${waitsFor}`}`
}

await runCommand({ name: 'wallet:held', help, options }, async (values) => {
  const client = clientOf('wallet', dataDirOf())
  if (values.end) {
    await client.call(endHold, { body: {} })
    return 'Nothing waits any more.'
  }
  if (values.release) {
    await client.call(releaseHeldOrder, { params: { id: values.release }, body: {} })
    return `${values.release} is carried out.`
  }
  if (values.fail) {
    await client.call(failHeldOrder, { params: { id: values.fail }, body: {} })
    return `${values.fail} has failed.`
  }
  if (values.paid) {
    if (!values.hash) throw new Error('Name the transaction: --hash <hash>')
    await client.call(settleHeldOrder, { params: { id: values.paid }, body: { txHash: values.hash } })
    return `${values.paid} is recorded as paid by ${values.hash}.`
  }
  const { before, items } = await client.call(heldOrders)
  if (before === null && items.length === 0) return 'Nothing waits: there was no restore, and no order is lost.'
  const which = before === null ? 'Orders that are lost' : `Orders from before ${before}, and those that are lost,`
  return [`${which} wait; there are ${items.length}.`, ...items.map(line)].join('\n')
})
