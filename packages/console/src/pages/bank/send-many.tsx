import { useRef, useState } from 'preact/hooks'
import { reread } from '../../api/query'
import { dataOf, payments } from '../../api/services'
import { counted } from '../../format/words'
import { Act } from '../../ui/act'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Labelled, useChecked } from '../../ui/field'
import { parseTransfers } from './parse-transfers'
import { SumTable } from './sum-table'

interface Refusal {
  line: number
  message: string
}

/** Orders many transfers, each with its own request, once their exact sums are confirmed. */
export function SendMany({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('')
  const [refused, setRefused] = useState<readonly Refusal[] | null>(null)
  const found = useRef<readonly Refusal[]>([])
  const of = useChecked(true)
  const { transfers, problems } = parseTransfers(text)
  const isReady = transfers.length > 0 && problems.length === 0
  if (refused) return <Refused of={refused} onClose={onClose} />
  return (
    <Act
      title="Order many transfers?"
      confirm={isReady ? `Order ${counted(transfers.length, 'transfer')}` : 'Order'}
      act={async ({ headers }) => {
        const { data } = await dataOf(
          payments.POST('/transfer/execute-many-send-payment', {
            headers,
            body: { transfers: [...transfers] },
          }),
        )
        return data.flatMap(({ index, error }) => (error ? [{ line: index + 1, message: error.message }] : []))
      }}
      done={(list) => `${counted(transfers.length - list.length, 'transfer')} ordered`}
      onDone={(list) => {
        reread(['payments'])
        found.current = list
      }}
      // Refusals are shown instead.
      onClose={() => (found.current.length > 0 ? setRefused(found.current) : onClose())}
    >
      <Labelled
        of={of}
        label="Transfers, one per line"
        hint="From account, to account, amount, currency, reference: separated by commas or tabs. An account is its id at its custodian bank, or the id of the participant."
      >
        <textarea
          {...of.control}
          class="mono send-many-text"
          rows={6}
          required
          spellcheck={false}
          value={text}
          onInput={(event) => {
            of.control.onInput()
            setText(event.currentTarget.value)
            event.currentTarget.setCustomValidity(parseTransfers(event.currentTarget.value).problems[0] ?? '')
          }}
        />
      </Labelled>
      {problems.length > 0 ? (
        <ul class="bad" role="status">
          {problems.slice(0, 5).map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      ) : null}
      {isReady ? <SumTable of={transfers} what="Transfers" /> : null}
    </Act>
  )
}

const Refused = ({ of, onClose }: { of: readonly Refusal[]; onClose(): void }) => (
  <Dialog title={`${counted(of.length, 'transfer')} refused`} onClose={onClose}>
    <div class="act">
      <p>The others are ordered.</p>
      <ul class="refusals">
        {of.map(({ line, message }) => (
          <li key={line}>
            <strong>Transfer {line}</strong> <span class="sub">{message}</span>
          </li>
        ))}
      </ul>
      <div class="act-buttons">
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  </Dialog>
)
