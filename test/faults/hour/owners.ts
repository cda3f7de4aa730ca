import type { RecordStatus } from '@bursar/contracts/customer'
import { count, type Holder } from './journal'
import type { Work } from './load'

type Owners = Pick<Work, 'stack' | 'client' | 'journal' | 'random' | 'isOver'>

/** A new customer with its account, each by a request with a key. */
export async function newHolder({ stack, client, journal }: Owners, isUnsteady: boolean): Promise<Holder> {
  const externalId = crypto.randomUUID()
  const customer = { externalId, status: 'active' }
  const made = await client.send('POST', stack.url('customer'), '/customers', customer, `customer-${externalId}`)
  const customerId = String(made.body.id)
  const account = { type: 'STABLECOINS', status: 'active', name: 'Main', customerId }
  const opened = await client.send('POST', stack.url('account'), '/accounts', account, `account-${externalId}`)
  if (made.status !== 201 || opened.status !== 201)
    journal.broken.push(`A new customer: ${JSON.stringify([made, opened])}`)
  const accountId = String(opened.body.id)
  const states = { customerStatus: 'active', accountStatus: 'active' } as const
  const holder: Holder = { customerId, accountId, ...states, isUnsteady, isBusy: false }
  journal.holders.push(holder)
  count(journal.counts, 'customers and accounts created', 2)
  return holder
}

/** Changes states, and makes a customer now and then, until the load is over. */
export async function runOwner(owners: Owners): Promise<void> {
  const { random, journal } = owners
  while (!owners.isOver()) {
    await Bun.sleep(random.between(200, 1500))
    if (random.chance(0.05)) await newHolder(owners, random.chance(0.3))
    else await changeOne(owners, random.pick(journal.holders.filter((one) => one.isUnsteady && !one.isBusy)))
  }
}

async function changeOne(owners: Owners, holder: Holder): Promise<void> {
  const { random } = owners
  holder.isBusy = true
  const what = random.pick(['customer', 'account'] as const)
  const to = random.pick<RecordStatus>(['active', 'active', 'active', 'suspended', 'inactive', 'deleted'])
  await setStatus(owners, holder, what, to)
  holder.isBusy = false
}

async function setStatus(
  { stack, client, journal }: Owners,
  holder: Holder,
  what: 'customer' | 'account',
  status: RecordStatus,
): Promise<void> {
  const id = what === 'customer' ? holder.customerId : holder.accountId
  const answer = await client.send('PUT', stack.url(what), `/${what}s/${id}`, { status })
  if (answer.status !== 200) journal.broken.push(`PUT of ${what} ${id}: ${JSON.stringify(answer)}`)
  holder[`${what}Status`] = status
  count(journal.counts, `${what}s made ${status}`)
}

/** At the end half of those that are suspended or inactive are made active again, so that what waits for them goes on. */
export async function wakeHalf(owners: Owners): Promise<void> {
  for (const [index, holder] of owners.journal.holders.entries()) {
    if (index % 2 === 1) continue
    for (const what of ['customer', 'account'] as const) {
      const status = holder[`${what}Status`]
      if (status === 'suspended' || status === 'inactive') await setStatus(owners, holder, what, 'active')
    }
  }
}
