// What people and owners do beside the money: reviews, failures by hand, suspensions, sanctions lists, prices.
import { join } from 'node:path'
import { type Asset, count, type World } from '../world'
import { withdrawFrom } from './withdrawals'

type Verdict = 'approve' | 'reject'

/** Refusals are ignored: an operator tries again later. */
const patienceMs = 10_000

export interface Listed {
  id: string
  type: string
  /** The deposit that it sends back: what did not pass the screening can only be rejected. */
  returns?: string
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
export const verdictOn = ({ id, returns }: Listed): Verdict =>
  !returns && Number.parseInt(id.slice(-2), 16) % 2 ? 'approve' : 'reject'

/** Decides on what is frozen. Twice at once at times. */
export async function review(world: World): Promise<void> {
  const found = await some(world, 'FROZEN')
  if (!found) return
  const once = () => decide(world, found, verdictOn(found))
  await Promise.all(world.random.chance(0.2) ? [once(), once()] : [once()])
}

/** The status of the answer. */
export async function decide(world: World, { id, type }: Listed, verdict: Verdict): Promise<number> {
  const path = `/transactions/${id}/${verdict}-frozen-${type === 'DEPOSIT' ? 'deposit' : 'withdrawal'}`
  const { status } = await world.client.send('POST', 'core-ledger', path, { body: {}, patienceMs })
  count(world, `reviews ${status}`)
  return status
}

/** A deposit that was rejected is credited after all, or sent back. Both at once at times, or one of them twice. */
export async function letOut(world: World): Promise<void> {
  const { random } = world
  const found = await some(world, `${random.pick(['REJECTED', 'FAILED'])}&type=DEPOSIT`)
  if (!found) return
  const ways = ['release', 'return'] as const
  const taken = random.chance(0.2) ? [random.pick(ways), random.pick(ways)] : [random.pick(ways)]
  await Promise.all(taken.map((way) => takeOut(world, found.id, way)))
}

async function takeOut(world: World, id: string, way: 'release' | 'return'): Promise<void> {
  const path = `/transactions/${id}/${way}`
  const body = { reason: 'explained by now' }
  const { status } = await world.client.send('POST', 'core-ledger', path, { body, patienceMs })
  count(world, `deposits in suspense, ${way} ${status}`)
}

/** Gives up what is approved and waits: few orders, and deposits, for which there is a way out of suspense. */
export async function failByHand(world: World): Promise<void> {
  const found = await some(world, 'APPROVED')
  if (!found || (found.type !== 'DEPOSIT' && !found.id.endsWith('0'))) return
  const body = { reason: 'given up' }
  const answer = await world.client.send('POST', 'core-ledger', `/transactions/${found.id}/fail`, { body, patienceMs })
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
  const [service, id] = first.split(' ') as ['account' | 'customer' | 'main-api', string]
  const [path, active] =
    service === 'main-api' ? [`/admin/pfi/${id}/status`, 'APPROVED'] : [`/${service}s/${id}`, 'active']
  const { status } = await world.client.send('PUT', service, path, { body: { status: active } })
  if (status === 200) world.suspended.delete(first)
}

/** What it has ordered waits until it is active again. */
export async function pauseInstitution(world: World): Promise<void> {
  if (world.suspended.size > 2) return await wakeOne(world)
  const { id, omnibus } = world.random.pick(world.institutions)
  if (world.offboarded.has(omnibus.id)) return
  world.suspended.add(`main-api ${id}`)
  const { status } = await moveInstitution(world, id, 'PAUSED')
  count(world, `institutions paused ${status}`)
}

/** The last of three, once and for good: what it has ordered is failed by hand in the end. */
export async function offboard(world: World): Promise<void> {
  const gone = world.institutions[2]
  if (!gone || world.offboarded.has(gone.omnibus.id) || world.suspended.has(`main-api ${gone.id}`)) return
  world.offboarded.add(gone.omnibus.id)
  const { status } = await moveInstitution(world, gone.id, 'OFFBOARDED')
  count(world, `institutions offboarded ${status}`)
}

const moveInstitution = ({ client }: World, id: string, status: string) =>
  client.send('PUT', 'main-api', `/admin/pfi/${id}/status`, { body: { status, comments: 'as the run says' } })

const onNode = ({ assets }: World): Asset => assets.find(({ code }) => code === 'TUSD') as Asset

/** Of accounts that are suspended right after: their destinations get on the list before anything is signed. */
export async function listBeforeSigning(world: World): Promise<void> {
  const { random, client } = world
  const account = random.pick(world.accounts.filter(({ type }) => type === 'STABLECOINS'))
  const key = `account ${account.id}`
  if (world.suspended.has(key)) return
  world.suspended.add(key)
  const orders = world.listable.map((destination) => withdrawFrom(world, account, onNode(world), destination))
  const suspended = client.send('PUT', 'account', `/accounts/${account.id}`, { body: { status: 'suspended' } })
  await Promise.all([...orders, suspended])
  await activateList(world, [...world.listable])
  const { status } = await client.send('PUT', 'account', `/accounts/${account.id}`, { body: { status: 'active' } })
  if (status === 200) world.suspended.delete(key)
  await Bun.sleep(random.between(500, 3000))
  await activateList(world, [])
  count(world, 'lists between approval and signature')
}

export async function changePrice(world: World): Promise<void> {
  const { random, client } = world
  const body = { staticValue: random.between(1, 400_000) / 100 }
  await client.send('PATCH', 'quote', `/assets/${random.pick(world.quoteAssets)}/static-value`, { body })
  count(world, 'prices changed')
}

/** A new list: some of the addresses that withdrawals go to are on it, or no longer. */
export async function updateList(world: World): Promise<void> {
  await activateList(
    world,
    world.listable.filter(() => world.random.chance(0.5)),
  )
}

async function activateList(world: World, listed: string[]): Promise<void> {
  const { stack } = world
  const file = join(stack.logs, `sdn-${crypto.randomUUID()}.xml`)
  await Bun.write(file, sdn(listed))
  const { code } = await stack.run('sanctions-update', [file, '--force'])
  await Bun.file(file).delete()
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
