import { useRead } from '../../api/read'
import { webhook } from '../../api/services'
import { formatCount } from '../../format/amount'
import { counted } from '../../format/words'
import { Figure } from '../../ui/card'
import { Age } from '../../ui/time'
import { endsSoon, isValid, useApiKeys } from '../keys/keys-query'
import { useParticipant } from '../participants/institution-query'
import { useLatestPayments } from './latest-payments'
import { isUnderWay } from './payment-rows'

/** What the institution has, and what of it needs attention. */
export function HomeFigures({ id }: { id: string }) {
  const { data } = useParticipant(id)
  const accounts = data?.customers.flatMap((customer) => customer.accounts)
  return (
    <div class="figures">
      <UnderWay id={id} />
      <Held label="Customers" href="/console/customers" of={data?.customers} />
      <Held label="Accounts" href="/console/accounts" of={accounts} />
      <KeyFigure id={id} />
      <EndpointFigure />
    </div>
  )
}

function UnderWay({ id }: { id: string }) {
  const { data } = useLatestPayments(id)
  return (
    <Figure
      label="Payments under way"
      value={data ? formatCount(data.filter(isUnderWay).length) : '–'}
      note={data?.length ? `of the latest ${formatCount(data.length)}` : null}
    />
  )
}

function Held({ label, href, of }: { label: string; href: string; of: readonly { status: string }[] | undefined }) {
  const inactive = of?.filter(({ status }) => status !== 'active').length ?? 0
  return (
    <Figure
      label={label}
      href={href}
      value={of ? formatCount(of.length) : '–'}
      note={of?.length ? (inactive === 0 ? 'all active' : `${formatCount(inactive)} not active`) : null}
    />
  )
}

/** The current key: after it has ended, programs of the institution are refused. */
function KeyFigure({ id }: { id: string }) {
  const { data } = useApiKeys(id)
  const [current] = data ?? []
  if (!current) return <Figure label="API key" href="/console/keys" value={data ? 'None' : '–'} note="not issued yet" />
  return (
    <Figure
      label="API key ends in"
      href="/console/keys"
      value={isValid(current) ? <Age until={current.validUntil} /> : 'Ended'}
      tone={isValid(current) ? (endsSoon(current) ? 'wait' : undefined) : 'bad'}
      note={<code>{current.masked}</code>}
    />
  )
}

function EndpointFigure() {
  const { data } = useRead(['endpoints', 'own'], (signal) =>
    webhook.GET('/webhooks/endpoints', { params: { query: { limit: 100 } }, signal }),
  )
  const disabled = data?.filter(({ status }) => status === 'disabled').length ?? 0
  const idle = data?.filter(({ takes }) => takes.length === 0).length ?? 0
  return (
    <Figure
      label="Webhook endpoints"
      href="/console/webhooks"
      value={data ? formatCount(data.length) : '–'}
      tone={disabled > 0 ? 'bad' : idle > 0 ? 'wait' : undefined}
      note={
        disabled > 0
          ? counted(disabled, 'is disabled', 'are disabled')
          : idle > 0
            ? counted(idle, 'takes no event', 'take no event')
            : data?.length
              ? 'all enabled'
              : null
      }
    />
  )
}
