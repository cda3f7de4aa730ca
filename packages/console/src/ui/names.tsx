import { useAccount, useAssets } from '../api/names'
import { useOwner } from '../api/owners'
import { useCan } from '../api/session'
import { Amount } from './amount'
import { NameLink } from './name-link'

/** An account by its name and its customer's; by its id while the name is unknown. `isPlain`: without a link. */
export function AccountName({ id, isPlain }: { id: string; isPlain?: boolean }) {
  const href = isPlain ? undefined : `/console/accounts/${id}`
  return <NameLink id={id} name={useAccountWords(id)} href={href} isBare={isPlain} />
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

/** A customer with a link, by its name. */
export function CustomerName({ id, accountId }: { id: string; accountId: string }) {
  const isStaff = useCan('read')
  const owner = useOwner('accounts', accountId)
  const account = useAccount(isStaff ? null : accountId)
  const name = owner.data?.customerName ?? account.data?.customerName ?? account.data?.customerExternalId
  return <NameLink id={id} name={name} href={`/console/customers/${id}`} />
}

/** An account's own name. */
export function AccountOwnName({ id }: { id: string }) {
  const { data } = useOwner('accounts', id)
  return <>{data?.accountName}</>
}

/** An amount of an asset, given by its id. */
export function AssetAmount({ value, assetId }: { value: string; assetId: string }) {
  const { data } = useAssets()
  return <Amount value={value} asset={data?.get(assetId)?.code} />
}
