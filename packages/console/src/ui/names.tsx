import { useAccount, useAssets, useInstitutionName, useOrganisations, useUserName } from '../api/names'
import { useOwner } from '../api/owners'
import { can, useCan, useSession } from '../api/session'
import { Amount } from './amount'
import { Id } from './id'

/** An account by its name and its customer's; by its id while the name is unknown. `isPlain`: without a link. */
export function AccountName({ id, isPlain }: { id: string; isPlain?: boolean }) {
  const words = useAccountWords(id)
  const href = isPlain ? undefined : `/console/accounts/${id}`
  if (words === null) return <Id value={id} href={href} isBare={isPlain} />
  if (isPlain) return <span title={id}>{words}</span>
  return (
    <a href={href} title={id}>
      {words}
    </a>
  )
}

/** For staff the names of a page are read together; an institution reads its own accounts. Null while unknown. */
function useAccountWords(id: string): string | null {
  const isStaff = useCan('read')
  const owner = useOwner('accounts', id)
  const account = useAccount(isStaff ? null : id)
  const name = isStaff ? owner.data?.accountName : account.data?.name
  const customer = isStaff ? owner.data?.customerName : account.data?.customerName
  if (!name) return null
  return customer && customer !== name ? `${customer} · ${name}` : name
}

/** Whose an account or a customer is: its customer, then the institution. For staff. */
export function OwnerName({ accountId, customerId }: { accountId?: string; customerId?: string }) {
  const { data } = useOwner(accountId ? 'accounts' : 'customers', accountId ?? customerId)
  if (!data) return null
  const { customerName, institutionName } = data
  if (customerName === null) return <>{institutionName}</>
  return (
    <>
      {customerName}
      {institutionName ? <span class="sub">{institutionName}</span> : null}
    </>
  )
}

/** The institution of a customer or an account, with a link to it. For staff. */
export function InstitutionName({ accountId, customerId }: { accountId?: string; customerId?: string }) {
  const { data } = useOwner(accountId ? 'accounts' : 'customers', accountId ?? customerId)
  if (!data?.participantId) return null
  return <a href={`/console/participants/${data.participantId}`}>{data.institutionName ?? 'its institution'}</a>
}

/** A customer with a link, by its name where staff asks; an institution sees its id. */
export function CustomerName({ id, accountId }: { id: string; accountId: string }) {
  const { data } = useOwner('accounts', accountId)
  if (!data?.customerName) return <Id value={id} href={`/console/customers/${id}`} />
  return (
    <a href={`/console/customers/${id}`} title={id}>
      {data.customerName}
    </a>
  )
}

/** An account's own name. */
export function AccountOwnName({ id }: { id: string }) {
  const { data } = useOwner('accounts', id)
  return <>{data?.accountName}</>
}

/** An institution by its name, with a link to its page. Institutions know their own alone: `yours`. */
export function Institution({ id, yours }: { id: string; yours?: string }) {
  const isStaff = useCan('read')
  const { user } = useSession()
  const { data: name } = useInstitutionName(isStaff ? id : null)
  if (yours && user.participantId === id) return <b>{yours}</b>
  if (!name) return <Id value={id} href={isStaff ? `/console/participants/${id}` : undefined} isBare />
  return (
    <a href={`/console/participants/${id}`} title={id}>
      {name}
    </a>
  )
}

/** A custodian bank by its name; by its id once it is removed. */
export function Custodian({ id }: { id: string }) {
  const name = useOrganisations('custodian').data?.find((custodian) => custodian.id === id)?.name
  return name ? <span title={id}>{name}</span> : <Id value={id} isBare />
}

/** Where a user or a record belongs: the administration, an institution, or a custodian bank. */
export function Organisation({
  of: { participantId, custodianId },
}: {
  of: { participantId: string | null; custodianId: string | null }
}) {
  if (participantId !== null) return <Institution id={participantId} />
  if (custodianId !== null) return <Custodian id={custodianId} />
  return <span>Administration</span>
}

/** An amount of an asset, given by its id. */
export function AssetAmount({ value, assetId }: { value: string; assetId: string }) {
  const { data } = useAssets()
  return <Amount value={value} asset={data?.get(assetId)?.code} />
}

/** An actor in the services' histories. */
export interface ActorValue {
  kind: string
  id: string
}

/** An actor's name: `you`, a colleague, a service, a participant's key. */
export function Actor({ of }: { of: ActorValue | null }) {
  const session = useSession()
  const isOther = of?.kind === 'user' && of.id !== session.user.id
  const { data: name } = useUserName(isOther && can(session, 'read') ? of.id : null)
  if (of === null) return <span class="none">an unknown caller</span>
  if (of.kind === 'user' && !isOther) return <b data-paper={session.user.name}>you</b>
  if (of.kind === 'service') return <b>{of.id}</b>
  if (name) return <b title={of.id}>{name}</b>
  if (of.kind === 'participant') return <Institution id={of.id} yours="your institution" />
  return (
    <span>
      {of.kind} <Id value={of.id} isBare />
    </span>
  )
}
