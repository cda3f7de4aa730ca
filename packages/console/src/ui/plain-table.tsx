import type { ComponentChildren } from 'preact'

interface Props {
  /** For screen readers. */
  label: string
  heads: readonly string[]
  rows: readonly (readonly [name: string, ...figures: ComponentChildren[]])[]
}

/** A small table without states: what its rows are called, and their figures. */
export const PlainTable = ({ label, heads, rows }: Props) => (
  <table class="table" aria-label={label}>
    <thead>
      <tr>
        {heads.map((head, i) => (
          <th key={head} scope="col" class={i > 0 ? 'is-end' : undefined}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(([name, ...figures], row) => (
        <tr key={row}>
          <th scope="row">{name}</th>
          {figures.map((figure, i) => (
            <td key={i} class="is-end">
              {figure}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
