// What people and owners do beside the money: reviews, failures by hand, suspensions, sanctions lists, prices.
import { join } from 'node:path'
import { count, type World } from '../world'

interface Listed {
  id: string
  type: string
}

async function some(world: World, status: string): Promise<Listed | null> {
  const { body, status: answered } = await world.client.send(
    'GET',
    'core-ledger',
    `/transactions?status=${status}&limit=50`,
  )
  return answered === 200 && body.length > 0 ? world.random.pick(body as Listed[]) : null
}

/** Always the same verdict on one transaction: after a restore it is asked for again. */
const verdictOn = (id: string): 'approve' | 'reject' => (Number.parseInt(id.slice(-2), 16) % 2 ? 'approve' : 'reject')

/** Decides on what is frozen. Twice at once at times, the contrary as well. */
export async function review(world: World): Promise<void> {
  const found = await some(world, 'FROZEN')
  if (!found) return
  const kind = found.type === 'DEPOSIT' ? 'deposit' : 'withdrawal'
  const path = `/transactions/${found.id}/${verdictOn(found.id)}-frozen-${kind}`
  const decide = () => world.client.send('POST', 'core-ledger', path, { body: {} })
  const answers = world.random.chance(0.2) ? await Promise.all([decide(), decide()]) : [await decide()]
  for (const { status } of answers) count(world, `reviews ${status}`)
}

/** A deposit that was rejected is credited after all. */
export async function releaseDeposit(world: World): Promise<void> {
  const found = await some(world, world.random.pick(['REJECTED', 'FAILED']))
  if (found?.type !== 'DEPOSIT') return
  const body = { reason: 'explained by now' }
  const answer = await world.client.send('POST', 'core-ledger', `/transactions/${found.id}/release`, { body })
  count(world, `deposits released ${answer.status}`)
}

/** Gives up what is approved and waits. */
export async function failByHand(world: World): Promise<void> {
  const found = await some(world, 'APPROVED')
  if (!found || found.id.endsWith('0') === false) return
  const body = { reason: 'given up' }
  const answer = await world.client.send('POST', 'core-ledger', `/transactions/${found.id}/fail`, { body })
  count(world, `failures by hand ${answer.status}`)
}

export async function suspend(world: World): Promise<void> {
  const { random, client } = world
  if (world.suspended.size > 2) return await wakeOne(world)
  const account = random.pick(world.accounts)
  const [service, id] =
    account.customerId && random.chance(0.5)
      ? (['customer', account.customerId] as const)
      : (['account', account.id] as const)
  if (account.type === 'OMNIBUS') return
  world.suspended.add(`${service} ${id}`)
  await client.send('PUT', service, `/${service}s/${id}`, { body: { status: 'suspended' } })
  count(world, `${service}s suspended`)
}

export async function wakeOne(world: World): Promise<void> {
  const [first] = world.suspended
  if (!first) return
  const [service, id] = first.split(' ') as ['account' | 'customer', string]
  const { status } = await world.client.send('PUT', service, `/${service}s/${id}`, { body: { status: 'active' } })
  if (status === 200) world.suspended.delete(first)
}

export async function changePrice(world: World): Promise<void> {
  const { random, client } = world
  const body = { staticValue: random.between(1, 400_000) / 100 }
  await client.send('PATCH', 'quote', `/assets/${random.pick(world.quoteAssets)}/static-value`, { body })
  count(world, 'prices changed')
}

/** A new list: some of the addresses that withdrawals go to are on it, or no longer. */
export async function updateList(world: World): Promise<void> {
  const { stack, random } = world
  const listed = world.listable.filter(() => random.chance(0.5))
  const file = join(stack.logs, 'sdn.xml')
  await Bun.write(file, sdn(listed))
  const { code } = await stack.run('sanctions-update', [file, '--force'])
  count(world, `sanctions lists, exit code ${code}`)
}

function sdn(addresses: string[]): string {
  const id = (address: string) =>
    `<id><uid>1</uid><idType>Digital Currency Address - ETH</idType><idNumber>${address}</idNumber></id>`
  const entries = addresses.map(
    (address, i) =>
      `<sdnEntry><uid>${i}</uid><lastName>LISTED ${i}</lastName><idList>${id(address)}</idList></sdnEntry>`,
  )
  const about = `<Publish_Date>10/15/2026</Publish_Date><Record_Count>${entries.length}</Record_Count>`
  return `<?xml version="1.0"?><sdnList><publshInformation>${about}</publshInformation>${entries.join('')}</sdnList>`
}
