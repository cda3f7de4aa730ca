import { useMovementName } from '../../api/movement-names'
import { useAssets, useUserName } from '../../api/names'
import { useOwner } from '../../api/owners'
import { keptMs } from '../../api/query'
import { useRead } from '../../api/read'
import { quote, webhook } from '../../api/services'
import { groupDigits } from '../../format/amount'
import { isUuid, shorten, toWords } from '../../format/words'
import { Id } from '../../ui/id'
import { NameLink } from '../../ui/name-link'
import { Custodian, Institution } from '../../ui/organisations'
import { moneyText } from '../bank/money-text'
import type { AuditAct } from './audit-query'

const withoutRoles = {
  console: 'not logged in',
  api: 'not logged in',
  start: 'at its start',
  command: 'on the server',
}

/** The actor, by name if the identity manager knows it, and its roles. */
export function ActorName({ of: { actor, door, roles } }: { of: Pick<AuditAct, 'actor' | 'door' | 'roles'> }) {
  const name = useUserName(isUuid(actor) ? actor : null)
  return (
    <>
      <b title={actor}>{name.data ?? shorten(actor)}</b>
      <span class="sub actor-roles">{roles.length > 0 ? roles.join(', ') : withoutRoles[door]}</span>
    </>
  )
}

interface Named {
  of: Pick<AuditAct, 'service' | 'action'>
  id: string
  /** The sentence before it says what it is: `approved the deposit`. */
  isTyped?: boolean
}

/** What an act was about: by its name where that is known, with a link to its page where it has one. */
export function ObjectName({ of: { service, action }, id, isTyped = false }: Named) {
  const isKnown = isUuid(id)
  const account = useOwner('accounts', service === 'account' && isKnown ? id : null)
  const customer = useOwner('customers', service === 'customer' && isKnown ? id : null)
  const user = useUserName(service === 'identity-manager' && isKnown ? id : null)
  if (!isKnown) return <Id value={id} isBare />
  if (/ \/(participants|admin\/pfi|console\/api\/institutions)\b|foreign address$/.test(action)) {
    return <Institution id={id} />
  }
  if (/ \/admin\/custodian-bank\b/.test(action)) return <Custodian id={id} />
  if (/ (\/api\/v1\/core)?\/transactions\/| \/console\/api\/review\//.test(action) && service in movements) {
    return <MovementName kind={movements[service as keyof typeof movements]} id={id} isTyped={isTyped} />
  }
  if (service === 'transaction-manager') return <MovementName kind="payment" id={id} isTyped={isTyped} />
  if (/ \/webhooks\/endpoints\b/.test(action)) return <EndpointName id={id} />
  if (/ \/assets\b/.test(action)) return <AssetName id={id} />
  const href = pageOf({ service, action }, id)
  return <Linked id={id} name={account.data?.accountName ?? customer.data?.customerName ?? user.data} href={href} />
}

/** What has no page stands out by itself. */
const Linked = ({ name, ...of }: Parameters<typeof NameLink>[0]) => (
  <NameLink {...of} name={name && !of.href ? <b>{name}</b> : name} isBare />
)

/** Those whose acts are about transactions or bank payments; a review's notes are the gateway's. */
const movements = { 'core-ledger': 'transaction', gateway: 'transaction', 'transaction-manager': 'payment' } as const
const movementPages = { transaction: 'transactions', payment: 'bank' } as const

function MovementName({ kind, id, isTyped }: { kind: keyof typeof movementPages; id: string; isTyped: boolean }) {
  const { data } = useMovementName(kind, id)
  const href = `/console/${movementPages[kind]}/${id}`
  if (!data) return <Id value={id} href={href} isBare />
  const amount = kind === 'payment' ? moneyText(data.amount, data.asset) : data.amount
  const sum = `${groupDigits(amount)} ${data.asset}`
  return (
    <>
      {isTyped ? 'of ' : `the ${toWords(data.type).toLowerCase()} of `}
      <a href={href} title={id}>
        {sum}
      </a>
    </>
  )
}

function EndpointName({ id }: { id: string }) {
  const url = useEndpointUrls().data?.get(id)
  return <Linked id={id} name={url} href={`/console/webhooks?endpointId=${id}`} />
}

/** An asset of the ledger, or of the rates. */
function AssetName({ id }: { id: string }) {
  const code = useAssets().data?.get(id)?.code
  const priced = useQuotedCodes().data?.get(id)
  return <Linked id={id} name={code ?? priced} href={priced ? `/console/rates/${id}` : undefined} />
}

const pages: readonly (readonly [action: RegExp, path: string])[] = [
  [/^account /, '/console/accounts/'],
  [/^customer /, '/console/customers/'],
  [/^webhook .* \/webhooks\/delivery\//, '/console/webhooks?delivery='],
]

const pageOf = ({ service, action }: Named['of'], id: string): string | undefined => {
  const page = pages.find(([route]) => route.test(`${service} ${action}`))
  return page && page[1] + id
}

/** One request for all of them; those beyond are shown by their ids. */
const most = 100

/** The addresses of webhook endpoints, by id. */
const useEndpointUrls = () =>
  useRead(
    ['endpoint-urls'],
    (signal) => webhook.GET('/webhooks/endpoints', { params: { query: { limit: most } }, signal }),
    { select: (endpoints) => new Map(endpoints.map(({ id, url }) => [id, url])), staleTime: keptMs },
  )

/** The codes of assets that have rates, by id. */
const useQuotedCodes = () =>
  useRead(['quoted-codes'], (signal) => quote.GET('/assets', { params: { query: { limit: most } }, signal }), {
    select: ({ data }) => new Map(data.map(({ id, code }) => [id, code])),
    staleTime: keptMs,
  })
