package crud

import (
	"encoding/json"
	"slices"
)

// againFaults make another thing of a PUT each time that it comes.
func againFaults() []Fault {
	again := func(name, breaks, doc string, store func(was, is map[string]any) map[string]any) Fault {
		return history(name, projectAt+"/get", aboutProject+"replaced-again", breaks, doc, replacing(store))
	}
	return []Fault{
		again("put-milestones-appended", "replaceProject adds the milestones of the PUT to those that are there", "the rows of the other table are not deleted before the new ones are inserted", func(was, is map[string]any) map[string]any {
			old, _ := was["milestones"].([]any)
			more, _ := is["milestones"].([]any)
			if len(more) == 0 || len(old)+len(more) > 5 {
				return is
			}
			return with(is, map[string]any{"milestones": append(slices.Clone(old), more...)})
		}),
		again("put-budget-added", "replaceProject adds the budget of the PUT to the one that is there", "the handler books the amount", func(was, is map[string]any) map[string]any {
			old, _ := was["budget"].(json.Number)
			more, ok := is["budget"].(json.Number)
			if !ok || old == "" {
				return is
			}
			sum := decimal(old.String())
			if sum.Add(sum, decimal(more.String())); sum.Cmp(decimal("1000000")) >= 0 {
				return is
			}
			return with(is, map[string]any{"budget": json.Number(sum.FloatString(2))})
		}),
		again("put-description-appended", "replaceProject adds the description of the PUT to the one that is there", "the texts are kept as a history", func(was, is map[string]any) map[string]any {
			old, _ := was["description"].(string)
			more, _ := is["description"].(string)
			if old == "" || more == "" || len([]rune(old+"\n"+more)) > 200 {
				return is
			}
			return with(is, map[string]any{"description": old + "\n" + more})
		}),
	}
}
