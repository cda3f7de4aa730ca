import { useState } from 'preact/hooks'
import { type ApiError, asApiError } from '../../api/api-error'
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
  const [isAsking, setAsking] = useState(false)
  const [found, setFound] = useState<AddressResult | null>(null)
  const [refused, setRefused] = useState<{ address: string; error: ApiError } | null>(null)
  const check = async (address: string, blockchain: string) => {
    setAsking(true)
    setFound(null)
    setRefused(null)
    try {
      const result = await checkAddress(address, blockchain)
      setFound(result)
      announce(result.sanctioned ? 'The address is sanctioned' : 'No source has the address')
    } catch (cause) {
      setRefused({ address, error: asApiError(cause) })
    }
    setAsking(false)
  }
  return (
    <Card title="Check an address">
      <form
        class="check"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          void check(String(form.get('address')).trim(), String(form.get('blockchain')).trim())
        }}
      >
        <Field label="Address" name="address" required maxLength={256} spellcheck={false} class="mono" />
        <Field label="Network" name="blockchain" required maxLength={128} list="networks" defaultValue="ethereum" />
        <datalist id="networks">
          {['bitcoin', 'ethereum', 'polygon', 'solana', 'stellar', 'tron'].map((network) => (
            <option key={network} value={network} />
          ))}
        </datalist>
        <Button type="submit" look="main" icon="search" disabled={isAsking}>
          {isAsking ? 'Asking…' : 'Check'}
        </Button>
      </form>
      {refused ? <ErrorNote error={refused.error} title={`${refused.address} could not be checked.`} /> : null}
      {found ? <Result of={found} /> : null}
      <p class="hint">Every source is asked. The address is watched from then on: it is compared with each new list.</p>
    </Card>
  )
}

function Result({ of: { address, blockchain, sanctioned, sources, checkedAt } }: { of: AddressResult }) {
  return (
    <div class="rows check-result">
      <p class="row">
        <ResultBadge status="completed" sanctioned={sanctioned} />
        <code>{address}</code>
        <span class="hint">
          {blockchain}, <Time at={checkedAt} zone />
        </span>
      </p>
      <SourceFindings sources={sources} />
    </div>
  )
}
