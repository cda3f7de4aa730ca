const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A table in Markdown; what stands in its cells may be Markdown too. */
export function markdownTable(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}
