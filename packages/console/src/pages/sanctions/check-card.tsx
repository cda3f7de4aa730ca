import { useState } from 'preact/hooks'
import { useMutation } from '../../api/query'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Field } from '../../ui/field'
import { ErrorNote } from '../../ui/states'
import { Time } from '../../ui/time'
import { ResultBadge } from './result-badge'
import { type AddressResult, checkAddress } from './sanctions-queries'
import { SourceFindings } from './source-findings'

/** Screens an address by hand, and shows the result of each source. */
export function CheckCard() {
  const [asked, setAsked] = useState({ address: '', blockchain: '' })
  const check = useMutation<AddressResult, typeof asked>({
    mutationFn: ({ address, blockchain }) => checkAddress(address, blockchain),
    onSuccess: ({ sanctioned }) => announce(sanctioned ? 'The address is sanctioned' : 'No source has the address'),
  })
  return (
    <Card title="Check an address">
      <form
        class="check"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const next = {
            address: String(form.get('address')).trim(),
            blockchain: String(form.get('blockchain')).trim(),
          }
          setAsked(next)
          void check.mutate(next).catch(() => undefined)
        }}
      >
        <Field
          label="Address"
          name="address"
          required
          maxLength={256}
          autoComplete="off"
          spellcheck={false}
          class="mono"
        />
        <Field label="Network" name="blockchain" required maxLength={128} list="networks" defaultValue="ethereum" />
        <datalist id="networks">
          {['bitcoin', 'ethereum', 'polygon', 'solana', 'stellar', 'tron'].map((network) => (
            <option key={network} value={network} />
          ))}
        </datalist>
        <Button type="submit" look="main" icon="search" disabled={check.isPending}>
          {check.isPending ? 'Asking…' : 'Check'}
        </Button>
      </form>
      {check.error ? <ErrorNote error={check.error} title={`${asked.address} could not be checked.`} /> : null}
      {check.data && !check.isPending ? <Result of={check.data} /> : null}
      <p class="hint">Every source is asked. The address is watched from then on: it is compared with each new list.</p>
    </Card>
  )
}

function Result({ of: { address, blockchain, sanctioned, sources, checkedAt } }: { of: AddressResult }) {
  return (
    <div class="check-result">
      <p class="check-line">
        <ResultBadge status="completed" sanctioned={sanctioned} />
        <code class="check-address">{address}</code>
        <span class="hint">
          {blockchain}, <Time at={checkedAt} zone />
        </span>
      </p>
      <SourceFindings sources={sources} />
    </div>
  )
}
