/** The addresses and networks that a form's field has, one a line. */
export const addressesIn = (form: FormData): string[] =>
  String(form.get('addresses'))
    .split(/[\s,;]+/)
    .filter(Boolean)
