import { queryText } from '../../api/http'
import { Button, LinkButton } from '../../ui/button'
import { Facts } from '../../ui/card'
import { Dialog } from '../../ui/dialog'
import { Id, RequestId, requestHref } from '../../ui/id'
import { JsonView } from '../../ui/json-view'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import type { LogMessage } from './log-query'
import { wordsOf } from './message-words'

/** A message with all its fields, and links to related messages. */
export function MessageDialog({ message, onClose }: { message: LogMessage; onClose(): void }) {
  const { event, action, detail } = wordsOf(message)
  const { transaction_id: transactionId } = message.metadata
  const isOfTransaction = typeof transactionId === 'string'
  const isOfLedger = isOfTransaction && message.service === 'core-ledger'
  return (
    <Dialog title={`${event} ${action}`.trim()} onClose={onClose} isWide>
      <div class="act">
        <Facts
          of={[
            ['Status', <Status value={message.status} />],
            ['Time', <Time at={message.timestamp} ms zone />],
            ['Service', <code>{message.service}</code>],
            ['Detail', detail === '' ? null : detail],
            ['Request', <RequestId value={message.request_id} isWhole />],
            [
              'Transaction',
              isOfTransaction ? (
                <Id
                  key="transaction"
                  value={transactionId}
                  href={isOfLedger ? `/console/transactions/${encodeURIComponent(transactionId)}` : undefined}
                  isWhole
                />
              ) : null,
            ],
            ['Message', <Id value={message.id} isWhole />],
          ]}
        />
        <JsonView of={message.metadata} title="Further facts" isOpen />
        <div class="act-buttons">
          {isOfTransaction ? (
            <LinkButton href={`/console/log${queryText({ transactionId })}`}>All of this transaction</LinkButton>
          ) : null}
          <LinkButton href={requestHref(message.request_id)}>All of this request</LinkButton>
          <Button look="main" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
