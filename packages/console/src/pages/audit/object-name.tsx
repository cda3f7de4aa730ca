import { useUserName } from '../../api/names'
import { useOwner } from '../../api/owners'
import { Id } from '../../ui/id'

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What an act was about: by its name where that is known, with a link to its page where it has one. */
export function ObjectName({ service, id }: { service: string; id: string }) {
  const isKnown = isUuid.test(id)
  const account = useOwner('accounts', service === 'account' && isKnown ? id : null)
  const customer = useOwner('customers', service === 'customer' && isKnown ? id : null)
  const user = useUserName(service === 'identity-manager' && isKnown ? id : null)
  const name = account.data?.accountName ?? customer.data?.customerName ?? user.data
  const href = pageOf(service, id)
  if (!name) return <Id value={id} isBare {...(href ? { href } : {})} />
  return href ? (
    <a href={href} title={id}>
      {name}
    </a>
  ) : (
    <b title={id}>{name}</b>
  )
}

const pages: Readonly<Record<string, string>> = {
  account: 'accounts',
  customer: 'customers',
  participant: 'participants',
  'core-ledger': 'transactions',
  'transaction-manager': 'bank',
}

const pageOf = (service: string, id: string): string | undefined =>
  Object.hasOwn(pages, service) && isUuid.test(id) ? `/console/${pages[service]}/${id}` : undefined
