# Archives of the lab for students, and for teachers that grade by Gradescope or GitHub Classroom. The Makefile includes
# this file.
.PHONY: lab-solution lab-handout lab-autograder lab-reference

lab-handout:
	@mkdir -p build
	@docs/lab/handout.py $(PART:%=--part=%) build/loader-lab$(PART:%=-%).tar.gz
	@echo build/loader-lab$(PART:%=-%).tar.gz

# For teachers: the folder that a public copy of the repository leaves out (git rm -r docs/lab/solution).
lab-solution:
	@mkdir -p build
	@test -d docs/lab/solution || { echo "lab-solution: this copy of the repository has no docs/lab/solution" >&2; exit 125; }
	@tar -czf build/loader-lab-solution.tar.gz -C docs/lab solution
	@echo build/loader-lab-solution.tar.gz

# setup.sh and run_autograder are at the top of the archive, as Gradescope wants them. VARIANT: a term's seed.
lab-autograder:
	@rm -rf build/autograder build/autograder.zip && mkdir -p build/autograder/lab
	@cp docs/lab/gradescope/* build/autograder/
	@cp -r docs/lab/grade.sh docs/lab/apart.c docs/lab/witness.c docs/lab/machine docs/lab/variant.sh docs/lab/grade_all.py docs/lab/skeleton build/autograder/lab/
	@sed -i "s/grade_all.py\"/& $(VARIANT:%=--variant=%)/" build/autograder/run_autograder
	@cd build/autograder && python3 -m zipfile -c ../autograder.zip setup.sh run_autograder lab
	@echo build/autograder.zip

# A submission made of the loaders. The lab wants pages of files one by one, too, so page_by_page is on_demand_loader with
# a main function of its own.
lab-reference: $(LOADERS) $(B)/docs/lab/page_by_page
	@mkdir -p build/lab-reference
	@cp all_at_once_loader build/lab-reference/apager
	@cp $(B)/docs/lab/page_by_page build/lab-reference/dpager
	@cp hybrid_loader build/lab-reference/hpager
	@echo 'all clean:; true' > build/lab-reference/Makefile
	@echo build/lab-reference

$(B)/docs/lab/page_by_page: $(FIRST_O) $(B)/docs/lab/page_by_page.o $(HOST_O) $(B)/resident.o $(LIBELF_MISSING) loader/start.ld
	$(call step,LINK,$(@F))
	$(LINK_START) $(LINK_LOADER) -o $@ $(filter %.o,$^) $(LINK_END)
