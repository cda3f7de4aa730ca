import { reread } from '../../api/query'
import { dataOf, quote } from '../../api/services'
import { Act } from '../../ui/act'
import { AmountField } from '../../ui/field'
import { Note } from '../../ui/states'
import { UsdRate } from './usd-rate'

interface StaticValueProps {
  of: { id: string; code: string; staticValue: number | null }
  onClose(): void
}

/** Fixes an asset's value, or returns to the providers' rates: an administrator's decision. */
export const StaticValue = ({ of, onClose }: StaticValueProps) => (
  <Act
    title={`Fix the value of ${of.code}?`}
    confirm="Set the value"
    look="danger"
    act={async ({ text, headers }) => {
      const value = text('value')
      return await dataOf(
        quote.PATCH('/assets/{id}/static-value', {
          params: { path: { id: of.id } },
          headers,
          body: { staticValue: value === '' ? null : Number(value) },
        }),
      )
    }}
    done={(asset) =>
      asset.staticValue === null ? `Providers are asked for ${of.code} again` : `The value of ${of.code} is fixed`
    }
    onDone={() => reread(['quote-asset'], ['quote-assets'], ['last-rate'], ['rate-history'])}
    onClose={onClose}
  >
    <Note tone="wait">
      While a value is fixed no provider is asked: every estimate in USD, and every limit that is measured in it, takes
      this value.
    </Note>
    {of.staticValue === null ? null : (
      <p>
        It is fixed at <UsdRate value={of.staticValue} /> now.
      </p>
    )}
    <AmountField
      label="USD for one unit"
      name="value"
      title="Write a number such as 1.0725."
      defaultValue={of.staticValue === null ? '' : String(of.staticValue)}
      hint="Above 0. Empty: providers are asked again."
    />
  </Act>
)
