/** A value with its words, or a record by its name. */
export type Option = readonly [value: string, words: string] | { readonly id: string; readonly name: string }

/** The options of a select, or a list of suggestions. */
export const Options = ({ of }: { of: readonly Option[] | undefined }) => (
  <>
    {of?.map((each) => {
      const [value, words] = 'id' in each ? [each.id, each.name] : each
      return (
        <option key={value} value={value}>
          {words}
        </option>
      )
    })}
  </>
)
