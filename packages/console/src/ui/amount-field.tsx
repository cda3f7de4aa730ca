import { Field, type FieldProps } from './field'

/** An amount in decimals, to be read by `text`, which trims it. */
export const AmountField = (props: FieldProps) => (
  <Field
    inputMode="decimal"
    pattern="\s*[0-9]+(\.[0-9]+)?\s*"
    title="Write a number such as 1250.50."
    maxLength={80}
    {...props}
  />
)
