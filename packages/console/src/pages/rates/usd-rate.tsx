/** A rate in USD with all its digits: cheap coins have many. */
export function UsdRate({ value }: { value: number }) {
  return (
    <span class="amount">
      {rateText(value)} <b>USD</b>
    </span>
  )
}

const plain = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 17, useGrouping: true })

/** `64,250.5`; never with an exponent. */
export const rateText = (value: number): string => plain.format(value)

/** The same as it is typed: `64250.5`. */
export const typedRate = (value: number): string => rateText(value).replaceAll(',', '')
