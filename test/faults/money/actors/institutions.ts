// What institutions order: payments on the chains from their omnibus accounts, and payments between banks.
import { amountText } from '../amounts'
import { type Asset, count, freshAddress, type Institution, type World } from '../world'

/** POST /transactions/transfer of the blockchain service, and now and then /withdraw; some more than once. */
export async function orderOnChain(world: World): Promise<void> {
  const { random, client } = world
  const { key } = random.pick(world.institutions)
  const asset: Asset = random.pick(world.assets.filter(({ network }) => network !== 'solana'))
  const isBank = random.chance(0.2) && (asset.network === 'polygon' || asset.network === 'ethereum')
  const transactionId = `order-${crypto.randomUUID()}`
  const fields = isBank
    ? { iban: 'DE89370400440532013000', swift: 'COBADEFF' }
    : { destinationAddress: destination(world, asset.network) }
  const amount = amountText(BigInt(random.between(1, 500)), 2)
  const body = { amount, currency: asset.code, network: asset.network, transactionId, ...fields }
  const headers = { 'x-api-key': key }
  const path = `/transactions/${isBank ? 'withdraw' : 'transfer'}`
  const times = random.chance(0.15) ? 2 : 1
  // The same transactionId under another key is the same order.
  for (let i = 0; i < times; i++) {
    const { status, body: made } = await client.send('POST', 'blockchain', path, { body, headers })
    if (status === 200 || status === 201) world.orders.add(made.id)
    count(world, `orders at the blockchain service ${status}`)
  }
}

function destination(world: World, network: string): string {
  const { random } = world
  if (random.chance(0.1)) return freshAddress(random, network, '9999')
  if (random.chance(0.15)) return random.pick(world.accounts).addresses.get(network) ?? ''
  return freshAddress(random, network)
}

type Way = 'deposit' | 'do-deposit' | 'withdrawal' | 'transfer'

/** A payment between banks through its states, or as far as the dice say. */
export async function payByBank(world: World): Promise<void> {
  const { random, client } = world
  const way = random.pick<Way>(['deposit', 'do-deposit', 'withdrawal', 'withdrawal', 'transfer', 'transfer'])
  const [one, other] = random.chance(0.5) ? world.institutions : [...world.institutions].reverse()
  const cents = BigInt(random.between(100, 900_000))
  const body = {
    amount: amountText(cents, 2),
    currency: 'USD',
    ...fieldsOf(way, one as Institution, other as Institution),
  }
  const { status, body: made } = await client.send('POST', 'transaction-manager', `/${way}`, { body })
  count(world, `${way} between banks ${status}`)
  if (status !== 201) return
  world.payments.set(made.data.id, cents)
  const name = way === 'deposit' || way === 'do-deposit' ? made.data.reference : made.data.id
  for (const next of wayThrough(world, way)) {
    const path = `/${way}/${encodeURIComponent(name)}`
    const moved = await client.send('PUT', 'transaction-manager', path, { body: { status: next } })
    if (moved.status !== 200) return count(world, `moves of payments ${moved.status}`)
  }
}

function fieldsOf(way: Way, one: Institution, other: Institution): object {
  if (way === 'transfer') return { fromParticipantBankId: one.bankAccountId, toParticipantBankId: other.bankAccountId }
  if (way !== 'withdrawal') return { participantBankId: one.bankAccountId }
  const destinationAccount = { accountNumber: '000123456789', routingNumber: '021000021', bankName: 'Atlantic Trust' }
  return { participantBankId: one.bankAccountId, destinationAccount }
}

function wayThrough({ random }: World, way: Way): string[] {
  const ends = random.pick(['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'REJECTED', 'CANCELLED', 'none'])
  if (ends === 'none') return []
  if (way === 'deposit' || way === 'do-deposit') return [ends]
  if (ends === 'REJECTED' || ends === 'CANCELLED') return random.chance(0.5) ? [ends] : ['IN_REVIEW', ends]
  return ['APPROVED', 'PROCESSING', ends]
}
