import { booleanField, Input, Output, textField, ulidField } from 'gatehouse/api';

const NAME = textField({ max: 100, example: 'Hamburg' });
const CONTENTS = textField({ max: 200, example: 'Spare parts' });
const SITE = ulidField({ description: 'The site.' });

export class CreateSiteDto {
  @Input(NAME)
  name: string;
  @Input(ulidField({ description: 'The site of which it is a part.' }), { optional: true })
  parentId?: string;
}

export class SiteResponse {
  @Output(SITE)
  id: string;
  @Output(NAME)
  name: string;
}

export class CreateLoadDto {
  @Input(CONTENTS)
  contents: string;
}

export class LoadResponse {
  @Output(ulidField())
  id: string;
  @Output(SITE)
  siteId: string;
  @Output(CONTENTS)
  contents: string;
  @Output(booleanField())
  released: boolean;
}
